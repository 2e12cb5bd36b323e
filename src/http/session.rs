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

    fn sign(&self, purpose: &str, id: &str) -> String {
        format!("{id}.{}", URL_SAFE_NO_PAD.encode(self.mac(purpose, id).finalize().into_bytes()))
    }

    fn verify<T: FromStr>(&self, purpose: &str, signed: &str) -> Option<T> {
        let (id, tag) = signed.split_once('.')?;
        self.mac(purpose, id).verify_slice(&URL_SAFE_NO_PAD.decode(tag).ok()?).ok()?;
        id.parse().ok()
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
    /// The run that a Bearer token opens.
    token: Option<Uuid>,
}

impl Client {
    /// May stop, continue, rename, share and delete it.
    pub fn may_command(&self, row: &RunRow) -> bool {
        row.owner == self.owner || self.token == Some(row.id)
    }

    pub fn may_read(&self, row: &RunRow) -> bool {
        self.may_command(row)
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
    let token = match bearer(headers) {
        None => None,
        // There it is the administrator's.
        Some(_) if admin::is_path(request.uri().path()) => None,
        Some(token) => {
            Some(app.signer.verify("run", token).ok_or_else(|| AppError::new(Code::Unauthorized, "This run token is not valid."))?)
        }
    };
    let entered = door::entered(&app, headers, address)?;
    let id = owner.unwrap_or_else(Uuid::new_v4);
    let client = Client { owner: id.to_string(), known: owner.is_some(), address, entered, token };
    let wants_cookie = !client.known && token.is_none() && !is_plain(request.uri().path());
    request.extensions_mut().insert(client);
    let mut response = next.run(request).await;
    if wants_cookie
        && !response.status().is_server_error()
        && let Some(cookie) = cookie(&app, COOKIE, &app.signer.sign("owner", &id.to_string()), COOKIE_AGE, "Lax")
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Files and probes belong to nobody.
fn is_plain(path: &str) -> bool {
    path == "/health" || path == "/readyz" || path.rsplit('/').next().is_some_and(|name| name.contains('.'))
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
pub(super) fn cookie(app: &AppState, name: &str, value: &str, age: u32, same_site: &str) -> Option<HeaderValue> {
    let secure = if app.settings.server.public_url.as_ref().is_some_and(|url| url.starts_with("https:")) { "; Secure" } else { "" };
    HeaderValue::from_str(&format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite={same_site}{secure}")).ok()
}

/// Behind a proxy (a `public_url` is set) the last address it added, else the peer's.
fn address(app: &AppState, request: &Request) -> IpAddr {
    let forwarded = || request.headers().get("x-forwarded-for")?.to_str().ok()?.rsplit(',').next()?.trim().parse().ok();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let proxied = app.settings.server.public_url.as_ref().and_then(|_| forwarded());
    proxied.or(peer).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}
