//! Settings → store → models → rooms → router → serve. With `app.rs` the one registry of rooms.

use axum::{Router, extract::connect_info::IntoMakeServiceWithConnectInfo};
use colloquy::{
    engine::server::{Engine, Room, Seat},
    http::{AppState, Signer, router},
    models::{Models, look_for_ollama},
    rooms::simulate::server as simulate,
    settings::{Environment, Settings},
    store::{SqliteStore, Store},
};
use sha2::{Digest, Sha256};
use std::{future::IntoFuture, net::SocketAddr, path::Path, process::ExitCode, sync::Arc, time::Duration};
use tokio::net::TcpListener;
use tracing_subscriber::{EnvFilter, fmt, prelude::*};

/// A shutdown that takes longer is cut off.
const SHUTDOWN: Duration = Duration::from_secs(4);

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("colloquy: {failure}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Failure> {
    let here = Path::new(".");
    let environment = Environment::read(here)?;
    let mut settings = Settings::load(here, &environment)?;
    log(&settings, &environment);
    let address = settings.leptos.site_addr;
    let listener = TcpListener::bind(address).await.map_err(|error| {
        format!("{address} cannot be listened on ({error}). Is another server running there? Stop it, or set LEPTOS_SITE_ADDR to another address.")
    })?;
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&settings.database_url).await?);
    look_for_ollama(&mut settings.models).await;
    let models = Arc::new(Models::new(&settings.models));
    let rooms: Vec<Arc<dyn Room>> = vec![Arc::new(Seat(Arc::new(simulate::Simulator { models: models.clone() })))];
    let engine = Engine::new(store.clone(), rooms, settings.limits.clone(), build(&settings));
    let secret = match &settings.server.secret {
        Some(secret) => secret.clone().into_bytes(),
        None => store.secret("signing").await?,
    };
    let speaks = if models.is_real() { "with real models" } else { "on the rehearsal model: scripted answers, no AI" };
    println!("Colloquy listens on http://{}, {speaks}. Ctrl-C stops it.", listener.local_addr()?);
    let state = AppState::new(engine.clone(), settings, models, Signer::new(&secret));
    engine.spawn_sweeper();
    serve(listener, router(state, simulate::routes::routes()), &engine).await
}

async fn serve(listener: TcpListener, router: Router, engine: &Engine) -> Result<(), Failure> {
    let service: IntoMakeServiceWithConnectInfo<Router, SocketAddr> = router.into_make_service_with_connect_info();
    let stopping = engine.clone();
    let server = axum::serve(listener, service).with_graceful_shutdown(async move {
        signal().await;
        stopping.close().await;
    });
    let shutdown = engine.shutdown().clone();
    tokio::select! {
        served = server.into_future() => served?,
        () = async { shutdown.cancelled().await; tokio::time::sleep(SHUTDOWN).await } => tracing::warn!("some connections were cut off"),
    }
    Ok(())
}

async fn signal() {
    let interrupt = async { drop(tokio::signal::ctrl_c().await) };
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signals) => drop(signals.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! { () = interrupt => {}, () = terminate => {} }
}

/// Tells this build's browser half from another's, so that open pages know when to reload.
fn build(settings: &Settings) -> String {
    let options = &settings.leptos;
    let wasm = Path::new(&*options.site_root).join(&*options.site_pkg_dir).join(format!("{}.wasm", options.output_name));
    let hash = std::fs::read(wasm).map(|bytes| format!("{:x}", Sha256::digest(bytes))).unwrap_or_default();
    format!("{}-{}", env!("CARGO_PKG_VERSION"), hash.get(..12).unwrap_or("bare"))
}

fn log(settings: &Settings, environment: &Environment) {
    let filter = environment.get("RUST_LOG").unwrap_or_else(|| "warn,colloquy=info".to_owned());
    // genai writes what models say into its warnings.
    let filter = EnvFilter::new(format!("{filter},genai=off"));
    let json = settings.server.json_logs.then(|| fmt::layer().json());
    let text = (!settings.server.json_logs).then(fmt::layer);
    tracing_subscriber::registry().with(filter).with(json).with(text).init();
}
