//! What the forms of a conversation's page do. What was typed and refused is shown again.

use super::commands::command;
use crate::{
    error::AppError,
    http::{answered_at, caller, leads_to},
    rooms::research::{
        api::Deed,
        flow::{Command, Field, Posting, Refusal, Research, Section},
    },
    runs::server::{carried, escape, own_row},
};
use uuid::Uuid;

/// What a form says; see [`tell`](crate::rooms::research::api::tell).
pub struct Form {
    pub id: String,
    pub what: Deed,
    pub of: String,
    pub text: String,
    pub options: Vec<u32>,
    pub key: String,
}

pub async fn tell(form: Form) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let done = async {
        let row = own_row::<Research>(&app, &client, &form.id).await?;
        command(&app, &client, &row, form.command()?, form.posting()).await
    };
    answered_at(done.await, &form.address())?;
    leads_to(&form.page());
    Ok(())
}

impl Form {
    fn command(&self) -> Result<Command, AppError> {
        Ok(match self.what {
            Deed::Say => Command::Say { text: self.text.clone() },
            // Nothing ticked is no answer: whoever would rather not say skips.
            Deed::Choose if self.options.is_empty() => return Err(Refusal::Options.into()),
            Deed::Choose => Command::Choose { question: self.question()?, options: self.options.clone() },
            Deed::Skip => Command::Choose { question: self.question()?, options: vec![] },
            Deed::Correct => Command::Correct { field: self.named("field", Field::parse)?, text: self.text.clone() },
            Deed::Retry => Command::Retry { section: self.named("section", Section::parse)? },
            Deed::Refresh => Command::Refresh,
            Deed::Stop => Command::StopSection { section: self.named("section", Section::parse)? },
        })
    }

    fn posting(&self) -> Option<Posting> {
        let is_said = self.what == Deed::Say && !self.key.is_empty();
        is_said.then(|| Posting { id: self.key.clone(), message: None })
    }

    fn question(&self) -> Result<u32, AppError> {
        self.of.parse().map_err(|_| Refusal::Question.into())
    }

    fn named<T>(&self, kind: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, AppError> {
        parse(&self.of).ok_or_else(|| AppError::field("of", format!("There is no {kind} “{}”.", self.of)))
    }

    /// Whatever is no run's id leads to the bench.
    fn page(&self) -> String {
        self.id.parse::<Uuid>().map_or_else(|_| "/journey".to_owned(), |id| format!("/journey/{id}"))
    }

    /// The page with what was typed.
    fn address(&self) -> String {
        let field = if self.what == Deed::Correct { self.of.as_str() } else { "" };
        format!("{}?text={}&field={}", self.page(), escape(&carried(&self.text)), escape(field))
    }
}
