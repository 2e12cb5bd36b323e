//! What a person does with runs besides talking in them: name, pin, delete, bring back, share, delete everything.

use super::{AppState, Client, withdrawal::Watch};
use crate::{
    engine::server::now,
    error::{AppError, Code},
    store::{RunChange, RunRow},
};
use axum::http::{HeaderMap, header};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use uuid::Uuid;

/// Characters of a name.
const MAX_TITLE: usize = 120;
/// Bytes of chance in a link, of which nobody guesses one.
const TOKEN: usize = 24;

impl AppState {
    /// The run, also a deleted one, if this client owns it.
    pub async fn kept_run(&self, client: &Client, id: &str) -> Result<RunRow, AppError> {
        let row = self.row(id).await?;
        if client.may_command(&row) { Ok(row) } else { Err(AppError::not_found()) }
    }

    /// A name is one line of words.
    pub async fn rename(&self, row: &RunRow, title: &str) -> Result<(), AppError> {
        let words: Vec<&str> = title.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
        let title = words.join(" ");
        match title.chars().count() {
            0 => Err(AppError::field("title", "This is empty. Write what the conversation should be called.")),
            chars if chars > MAX_TITLE => Err(AppError::field("title", format!("This has {chars} characters; {MAX_TITLE} are the most."))),
            _ => Ok(self.engine.store().change(row.id, RunChange::Title(title)).await?),
        }
    }

    pub async fn pin(&self, row: &RunRow, pinned: bool) -> Result<(), AppError> {
        Ok(self.engine.store().change(row.id, RunChange::Pinned(pinned)).await?)
    }

    /// Gone for people, its link included; whoever follows it is told.
    pub async fn delete(&self, row: &RunRow) -> Result<(), AppError> {
        self.engine.delete(row).await?;
        self.withdrawals.everyone(row.id);
        Ok(())
    }

    pub async fn undelete(&self, row: &RunRow) -> Result<(), AppError> {
        Ok(self.engine.store().change(row.id, RunChange::Deleted(None)).await?)
    }

    /// Makes the run's read-only link, which stays the same until it is revoked; answers its token.
    pub async fn share(&self, row: &RunRow) -> Result<String, AppError> {
        let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; TOKEN]>());
        Ok(self.engine.store().share(row.id, &token, now()).await?)
    }

    pub async fn unshare(&self, row: &RunRow) -> Result<(), AppError> {
        self.engine.store().unshare(row.id).await?;
        self.withdrawals.guests(row.id);
        Ok(())
    }

    /// Deletes every word of whoever asks, for good. A run's token is not enough for that.
    pub async fn erase(&self, client: &Client) -> Result<(), AppError> {
        if !client.known {
            return Err(AppError::new(Code::Unauthorized, "Nobody is known here by that name: send the cookie that owns the data."));
        }
        for run in self.engine.erase(&client.owner).await? {
            self.withdrawals.everyone(run);
        }
        Ok(())
    }

    /// The address that a share's token is opened at, as people can send it on.
    pub fn share_url(&self, headers: &HeaderMap, token: &str) -> String {
        let host = || headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        let origin = self.settings.server.public_url.clone().unwrap_or_else(|| format!("http://{}", host()));
        format!("{origin}/s/{token}")
    }

    /// To be asked for before a run is read for as long as it goes on.
    pub fn watch(&self) -> Watch {
        self.withdrawals.watch()
    }

    /// Does this client hold a link to that run which is still good?
    pub(super) async fn is_guest(&self, client: &Client, row: &RunRow) -> Result<bool, AppError> {
        if client.shares.is_empty() {
            return Ok(false);
        }
        Ok(self.engine.store().share_of(row.id).await?.is_some_and(|token| client.shares.contains(&token)))
    }

    pub(super) async fn row(&self, id: &str) -> Result<RunRow, AppError> {
        let id = Uuid::parse_str(id).map_err(|_| AppError::not_found())?;
        // Of what was erased only the bare row is left, and belongs to nobody.
        self.engine.store().run(id).await?.filter(|row| !row.owner.is_empty()).ok_or_else(AppError::not_found)
    }
}
