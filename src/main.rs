//! Settings → store → models → rooms → router → serve. With `app.rs` the one registry of rooms.

use axum::Router;
use colloquy::{
    engine::server::{Engine, Room, Seat},
    http::{self, AppState, Signer, router},
    models::{Models, look_for_ollama},
    rooms::{debate::server as debate, research::server as research, simulate::server as simulate},
    settings::{Cassette, CassetteMode, Environment, Settings},
    store::{SqliteStore, Store},
    telemetry,
};
use command::Command;
use sha2::{Digest, Sha256};
use std::{io::Write, net::SocketAddr, path::Path, process::ExitCode, sync::Arc, time::Duration};
use tokio::net::TcpListener;
use uuid::Uuid;

mod command;

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
    let command = Command::parse(std::env::args().skip(1))?;
    if let Command::Say(words) = command {
        println!("{words}");
        return Ok(());
    }
    let here = Path::new(".");
    let environment = Environment::read(here)?;
    let mut settings = Settings::load(here, &environment)?;
    if let Command::Backup(file) = command {
        println!("{}", command::backup(&settings, file).await?);
        return Ok(());
    }
    let traces = telemetry::start(&settings.server, &environment)?;
    let address = settings.leptos.site_addr;
    let listener = TcpListener::bind(address).await.map_err(|error| {
        format!("{address} cannot be listened on ({error}). Is another server running there? Stop it, or set LEPTOS_SITE_ADDR to another address.")
    })?;
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&settings.database_url).await?);
    look_for_ollama(&mut settings.models).await;
    let models = Arc::new(Models::new(&settings.models).on_cassette(&settings.models)?);
    let rooms: Vec<Arc<dyn Room>> = vec![
        Arc::new(Seat(Arc::new(simulate::Simulator { models: models.clone() }))),
        Arc::new(Seat(Arc::new(debate::Coordinator { models: models.clone() }))),
        Arc::new(Seat(Arc::new(research::Researcher { models: models.clone() }))),
    ];
    let engine = Engine::new(store.clone(), rooms, settings.limits.clone(), build(&settings));
    let secret = match &settings.server.secret {
        Some(secret) => secret.clone().into_bytes(),
        None => store.secret("signing").await?,
    };
    greet(&mut settings, &models, listener.local_addr()?);
    engine.spawn_keeper(settings.retention);
    let state = AppState::new(engine.clone(), settings, models, Signer::new(&secret));
    engine.spawn_sweeper();
    let tools = vec![debate::mcp::offer()];
    let routes = simulate::routes::routes()
        .merge(debate::routes::routes())
        .merge(research::chat::routes())
        .merge(research::report::routes())
        .merge(http::mcp::routes(&state, tools));
    // What the last drivers say of themselves is sent while connections end.
    let told = async {
        engine.shutdown().cancelled().await;
        let told = async {
            engine.close().await;
            traces.close().await;
        };
        drop(tokio::time::timeout(SHUTDOWN, told).await);
    };
    tokio::join!(serve(listener, router(state, routes), &engine), told);
    Ok(())
}

/// Says where the server is and what whoever has started it should know. Makes the admin token where none is set.
fn greet(settings: &mut Settings, models: &Models, address: SocketAddr) {
    let speaks = match &settings.models.cassette {
        Some(Cassette { mode: CassetteMode::Record, file }) => format!("with real models, recording to {}", file.display()),
        Some(Cassette { mode: CassetteMode::Replay, file }) => format!("playing {}: no model is called", file.display()),
        None if models.is_real() => "with real models".to_owned(),
        None => "on the rehearsal model: scripted answers, no AI".to_owned(),
    };
    let mut lines = format!("Colloquy listens on http://{address}, {speaks}. Ctrl-C stops it.\n");
    if settings.server.admin_token.is_none() {
        let token = Uuid::new_v4().simple().to_string();
        let here = settings.server.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
        lines += &format!("Administration: {here}/settings/models, until the next start with the token {token}\n");
        settings.server.admin_token = Some(token);
    }
    if models.is_real() && settings.is_public() && settings.server.access_code.is_none() {
        lines += "Warning: whoever reaches this server can spend on its models, within the limits of Leptos.toml. Set an access code: COLLOQUY_ACCESS_CODE, or code under [access] in Leptos.toml.\n";
    }
    // In one piece, and whether anybody reads it or not.
    drop(std::io::stdout().write_all(lines.as_bytes()));
}

async fn serve(listener: TcpListener, router: Router, engine: &Engine) {
    let shutdown = engine.shutdown().clone();
    let stopping = shutdown.clone();
    tokio::spawn(async move {
        signal().await;
        stopping.cancel();
    });
    tokio::select! {
        () = http::serve(listener, router, shutdown.clone()) => {}
        () = async { shutdown.cancelled().await; tokio::time::sleep(SHUTDOWN).await } => tracing::warn!("some connections were cut off"),
    }
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
    let site = Path::new(&*options.site_root);
    let pkg = |kind: &str| site.join(&*options.site_pkg_dir).join(format!("{}.{kind}", options.output_name));
    let files = [pkg("wasm"), pkg("css"), site.join("offline.html"), site.join("offline.js")].map(std::fs::read);
    let hash = files.into_iter().flatten().fold(Sha256::new(), |hash, bytes| hash.chain_update(bytes));
    format!("{}-{}", env!("CARGO_PKG_VERSION"), &format!("{:x}", hash.finalize())[..12])
}
