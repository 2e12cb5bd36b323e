//! Whose words a run holds, read off the models' names: of models that were called, rehearsed, or played from a cassette.

use super::{entry::REHEARSAL, progress::Progress};

/// Stands between a model's name and the day on which its answers were recorded.
pub const RECORDED: &str = ", recorded on ";

/// What it takes to start where every answer is a recording, and where no model is there at all.
pub const PLAYED: &str = "Recorded answers, in the pace in which they were given. No model is called and nothing is charged.";
pub const NO_MODEL: &str = "No model is configured, and the rehearsal model is switched off. Set OPENAI_API_KEY (or another provider’s key) in .env, or rehearsal = \"auto\" in Leptos.toml, and restart the server.";

/// The day on which a cassette's answers were recorded; `None` for any other model.
pub fn recorded_on(model: &str) -> Option<&str> {
    model.split_once(RECORDED).map(|(_, day)| day)
}

/// The model's name without that day.
pub fn plain(model: &str) -> &str {
    model.split_once(RECORDED).map_or(model, |(name, _)| name)
}

/// Is it called, and paid?
pub fn is_real(model: &str) -> bool {
    model != REHEARSAL && recorded_on(model).is_none()
}

/// The badge's name and its words, unless real models alone are speaking.
pub fn badge(models: &[&str]) -> Option<(&'static str, String)> {
    let rehearsed = models.iter().filter(|model| **model == REHEARSAL).count();
    let recorded = models.iter().filter(|model| recorded_on(model).is_some()).count();
    let day = models.iter().rev().find_map(|model| recorded_on(model)).unwrap_or_default();
    let all = rehearsed.max(recorded) == models.len();
    Some(match (rehearsed, recorded) {
        (0, 0) => return None,
        (_, 0) if all => ("Rehearsal", "Rehearsal: scripted answers, no AI model".to_owned()),
        (_, 0) => ("Rehearsal", "Partly rehearsal: some answers are scripted".to_owned()),
        (0, _) if all => ("Recording", format!("Recorded on {day}: no model is called now")),
        (0, _) => ("Recording", format!("Partly recorded on {day}")),
        (_, _) => ("Rehearsal", format!("Partly rehearsal, partly recorded on {day}")),
    })
}

impl Progress {
    /// Every model that speaks in this run, or has spoken.
    pub fn models(&self) -> Vec<&str> {
        std::iter::once(&self.model).chain(self.calls.iter().map(|call| &call.model)).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAPED: &str = "openai:gpt-4o, recorded on 20 November 2026";

    #[test]
    fn a_badge_says_whose_words_they_are() {
        let check = |models: &[&str], expect: Option<(&str, &str)>| {
            let said = badge(models);
            assert_eq!(said.as_ref().map(|(name, words)| (*name, words.as_str())), expect, "{models:?}");
        };
        check(&["openai:gpt-4o"], None);
        check(&["rehearsal", "rehearsal"], Some(("Rehearsal", "Rehearsal: scripted answers, no AI model")));
        check(&["rehearsal", "openai:gpt-4o"], Some(("Rehearsal", "Partly rehearsal: some answers are scripted")));
        check(&[TAPED, TAPED], Some(("Recording", "Recorded on 20 November 2026: no model is called now")));
        check(&["openai:gpt-4o", TAPED], Some(("Recording", "Partly recorded on 20 November 2026")));
        check(&["rehearsal", TAPED], Some(("Rehearsal", "Partly rehearsal, partly recorded on 20 November 2026")));
    }

    #[test]
    fn a_recording_is_no_real_model() {
        for (model, day, name, real) in [
            ("openai:gpt-4o", None, "openai:gpt-4o", true),
            (TAPED, Some("20 November 2026"), "openai:gpt-4o", false),
            (REHEARSAL, None, REHEARSAL, false),
        ] {
            assert_eq!((recorded_on(model), plain(model), is_real(model)), (day, name, real));
        }
    }
}
