//! Who is asking: an anonymous signed cookie owns runs, a run token opens one run.

use super::{AppState, admin, door};
use crate::{
    engine::server::now,
    error::{AppError, Code},
    store::RunRow,
};
use axum::{
    extract::{ConnectInfo, FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, header, request::Parts},
    middleware::Next,
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    str::FromStr,
};
use uuid::Uuid;

const COOKIE: &str = "colloquy_owner";
pub(super) const METRICS: &str = "/metrics";
const SHARES: &str = "colloquy_shares";
/// Links whose runs a browser can read at a time; the oldest has to be opened again.
const MAX_SHARES: usize = 20;
/// A year, in seconds.
pub(super) const COOKIE_AGE: u32 = 31_536_000;

/// Signs ids for one purpose each, with HMAC-SHA256.
#[derive(Clone)]
pub struct Signer(Hmac<Sha256>);

impl Signer {
    pub fn new(secret: &[u8]) -> Self {
        // HMAC takes a key of any length.
        Signer(Hmac::new_from_slice(secret).unwrap_or_else(|_| unreachable!("HMAC takes any key")))
    }

    fn mac(&self, purpose: &str, id: &str) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(purpose.as_bytes());
        mac.update(b":");
        mac.update(id.as_bytes());
        mac
    }

    pub(super) fn sign(&self, purpose: &str, id: &str) -> String {
        format!("{id}.{}", URL_SAFE_NO_PAD.encode(self.mac(purpose, id).finalize().into_bytes()))
    }

    fn verify<T: FromStr>(&self, purpose: &str, signed: &str) -> Option<T> {
        self.verified(purpose, signed)?.parse().ok()
    }

    /// What was signed; it holds no full stop.
    pub(super) fn verified<'a>(&self, purpose: &str, signed: &'a str) -> Option<&'a str> {
        let (id, tag) = signed.split_once('.')?;
        self.mac(purpose, id).verify_slice(&URL_SAFE_NO_PAD.decode(tag).ok()?).ok()?;
        Some(id)
    }

    /// A mark for whoever has said a secret: holds as long as that is the secret.
    pub(super) fn mark(&self, purpose: &str, secret: &str) -> String {
        self.sign(&format!("{purpose} {secret}"), &now().to_string())
    }

    /// Was it given under this secret, within so many seconds?
    pub(super) fn holds(&self, purpose: &str, secret: &str, mark: &str, age: u32) -> bool {
        let given = self.verify::<i64>(&format!("{purpose} {secret}"), mark);
        given.is_some_and(|given| now() - given < i64::from(age) * 1000)
    }

    /// Compared by their tags, which takes as long wherever they differ.
    pub(super) fn same(&self, said: &str, secret: &str) -> bool {
        self.mac("guess", said).verify_slice(&self.mac("guess", secret).finalize().into_bytes()).is_ok()
    }

    /// Opens that run, as a Bearer token, wherever its owner's cookie does.
    pub fn run_token(&self, run: Uuid) -> String {
        self.sign("run", &run.to_string())
    }
}

/// Whoever sent the request.
#[derive(Clone, Debug)]
pub struct Client {
    pub owner: String,
    /// The owner was known before this request.
    pub known: bool,
    pub address: IpAddr,
    /// Has said the access code, once.
    pub entered: bool,
    token: Option<Uuid>,
    /// Tokens of the links this client has opened, the newest first; each may have been revoked since.
    pub(super) shares: Vec<String>,
}

impl Client {
    /// May stop, continue, rename, share and delete it.
    pub fn may_command(&self, row: &RunRow) -> bool {
        row.owner == self.owner || self.token == Some(row.id)
    }

    /// The same client, known to act for the owner of a run that it may command.
    pub fn acting_for(self, row: &RunRow) -> Self {
        Client { owner: row.owner.clone(), known: true, ..self }
    }

    /// The owner, if it was known before this request.
    pub fn known_owner(&self) -> Option<&str> {
        self.known.then_some(self.owner.as_str())
    }

    /// The run that a Bearer token opens.
    pub fn token(&self) -> Option<Uuid> {
        self.token
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        parts.extensions.get::<Client>().cloned().ok_or_else(AppError::internal)
    }
}

pub async fn layer(State(app): State<AppState>, mut request: Request, next: Next) -> Result<Response, AppError> {
    let headers = request.headers();
    let address = address(&app, &request);
    let owner = cookies(headers, COOKIE).find_map(|cookie| app.signer.verify("owner", cookie));
    let shares = cookies(headers, SHARES).find_map(|cookie| app.signer.verified("shares", cookie)).unwrap_or_default();
    let shares = shares.split('~').filter(|token| !token.is_empty()).map(str::to_owned).collect();
    // Where the administrator asks, the token is no run's.
    let token = match bearer(headers).filter(|_| !admin::is_path(request.uri().path())) {
        None => None,
        Some(token) => {
            Some(app.signer.verify("run", token).ok_or_else(|| AppError::new(Code::Unauthorized, "This run token is not valid."))?)
        }
    };
    let entered = door::entered(&app, headers, address)?;
    let id = owner.unwrap_or_else(Uuid::new_v4);
    let client = Client { owner: id.to_string(), known: owner.is_some(), address, entered, token, shares };
    let wants_cookie = !client.known && token.is_none() && !is_plain(request.uri().path());
    request.extensions_mut().insert(client);
    let mut response = next.run(request).await;
    if wants_cookie
        && !response.status().is_server_error()
        && let Ok(cookie) = HeaderValue::from_str(&owner_cookie(&app, id))
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Files and probes belong to nobody.
fn is_plain(path: &str) -> bool {
    ["/health", "/readyz", METRICS].contains(&path) || path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// The values of the cookies of that name.
pub(super) fn cookies<'a>(headers: &'a HeaderMap, name: &'static str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(move |cookie| cookie.trim().strip_prefix(name)?.strip_prefix('='))
}

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

/// A cookie that no script can read; `age` in seconds.
pub(super) fn cookie(app: &AppState, name: &str, value: &str, age: u32, same_site: &str) -> String {
    let secure = if app.settings.server.public_url.as_ref().is_some_and(|url| url.starts_with("https:")) { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite={same_site}{secure}")
}

fn owner_cookie(app: &AppState, owner: Uuid) -> String {
    cookie(app, COOKIE, &app.signer.sign("owner", &owner.to_string()), COOKIE_AGE, "Lax")
}

/// Cookies that make whoever holds them somebody new, with no links opened.
pub fn forget_owner(app: &AppState) -> [String; 2] {
    [owner_cookie(app, Uuid::new_v4()), cookie(app, SHARES, "", 0, "Lax")]
}

/// The cookie of a client that has opened this link as well.
pub(super) fn shares_cookie(app: &AppState, client: &Client, token: &str) -> String {
    let others = client.shares.iter().map(String::as_str).filter(|other| *other != token);
    let tokens: Vec<&str> = std::iter::once(token).chain(others).take(MAX_SHARES).collect();
    cookie(app, SHARES, &app.signer.sign("shares", &tokens.join("~")), COOKIE_AGE, "Lax")
}

/// Behind a proxy (a `public_url` is set) the last address it added, else the peer's.
fn address(app: &AppState, request: &Request) -> IpAddr {
    // A client may send lines of its own; the proxy's is the last.
    let forwarded =
        || request.headers().get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?.rsplit(',').next()?.trim().parse().ok();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let proxied = app.settings.server.public_url.as_ref().and_then(|_| forwarded());
    proxied.or(peer).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}
