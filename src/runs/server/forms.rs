//! What the pages' forms do. Each leads on to the page that shows what came of it.

use crate::{
    error::AppError,
    http::{AppState, answered, caller, forget_owner},
    store::RunRow,
};
use axum::http::{HeaderValue, header};
use leptos::prelude::use_context;
use leptos_axum::{ResponseOptions, redirect};

pub async fn rename(id: &str, title: &str) -> Result<(), AppError> {
    own(id, async |app, row| app.rename(&row, title).await).await?;
    to_about(id)
}

pub async fn pin(id: &str, pinned: bool) -> Result<(), AppError> {
    own(id, async |app, row| app.pin(&row, pinned).await).await?;
    to_about(id)
}

pub async fn share(id: &str, shared: bool) -> Result<(), AppError> {
    own(id, async |app, row| if shared { app.share(&row).await.map(drop) } else { app.unshare(&row).await }).await?;
    to_about(id)
}

pub async fn delete(id: &str) -> Result<(), AppError> {
    let row = own(id, async |app, row| app.delete(&row).await.map(|()| row)).await?;
    redirect(&format!("/runs?deleted={}", row.id));
    Ok(())
}

pub async fn undelete(id: &str) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let row = answered(app.kept_run(&client, id).await)?;
    answered(app.undelete(&row).await)?;
    redirect("/runs");
    Ok(())
}

/// Whoever asked is somebody new from then on.
pub async fn erase(sure: Option<&str>) -> Result<(), AppError> {
    let (app, client) = caller()?;
    if sure != Some("yes") {
        return answered(Err(AppError::field("sure", "Nothing was deleted. Tick the box first, since nobody can bring it back.")));
    }
    answered(app.erase(&client).await)?;
    if let Some(options) = use_context::<ResponseOptions>() {
        let cookies = forget_owner(&app).into_iter().filter_map(|cookie| HeaderValue::from_str(&cookie).ok());
        cookies.for_each(|cookie| options.append_header(header::SET_COOKIE, cookie));
    }
    redirect("/runs?erased=yes");
    Ok(())
}

/// Does something with a run that is the caller's own.
async fn own<T, D: AsyncFnOnce(AppState, RunRow) -> Result<T, AppError>>(id: &str, deed: D) -> Result<T, AppError> {
    let (app, client) = caller()?;
    let done = async {
        let row = app.own_run(&client, id).await?;
        deed(app, row).await
    };
    answered(done.await)
}

fn to_about(id: &str) -> Result<(), AppError> {
    redirect(&format!("/runs/{id}/about"));
    Ok(())
}
