//! Customers that a person keeps, by name.

use crate::{
    engine::{flow::Flow, server::now},
    error::AppError,
    http::{answered, caller},
    rooms::simulate::{
        api::Saved,
        flow::{Assistant, CONTEXT_CHARS, MAX_STEPS, Setup, Simulate},
    },
    runs::server::escape,
    store::{PersonaRow, Store},
};

/// An owner keeps no more.
const MOST: usize = 50;
/// Characters of a name.
const NAME_CHARS: usize = 60;

/// Saves the customer and leads back to the bench, with everything that was typed there.
pub async fn save(icp: String, query: String) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let query = if query.is_empty() { query } else { format!("&query={}", escape(&query)) };
    let to = match keep(app.engine.store(), &client.owner, &icp).await {
        Ok(name) => format!("/demo?persona={}{query}", escape(&name)),
        Err(error) if error.at("icp").is_some() => format!("/demo?unsaved=customer{query}"),
        Err(error) if error.at("personas").is_some() => format!("/demo?unsaved=full{query}"),
        Err(error) => return answered(Err(error)),
    };
    leptos_axum::redirect(&to);
    Ok(())
}

/// What to say of a customer that was not saved, and why, as the address has it.
pub fn unsaved(why: &str) -> String {
    match why {
        "full" => format!("You have saved {MOST} customers, which is the most. Delete one to save another."),
        _ => "This customer was not saved: describe them in 1 to 4,000 characters.".to_owned(),
    }
}

async fn keep(store: &dyn Store, owner: &str, icp: &str) -> Result<String, AppError> {
    let (icp, query) = (icp.to_owned(), "?".to_owned());
    let setup = Setup { icp, query, assistant: Assistant::default(), max_steps: MAX_STEPS, context_chars: CONTEXT_CHARS };
    Simulate::begin(&setup)?;
    let (name, kept) = (name(&setup.icp), store.personas(owner, Simulate::KIND).await?);
    if kept.len() >= MOST && kept.iter().all(|persona| persona.name != name) {
        return Err(AppError::field("personas", unsaved("full")));
    }
    store.save_persona(owner, Simulate::KIND, PersonaRow { name: name.clone(), text: setup.icp }, now()).await?;
    Ok(name)
}

/// The first words: up to the end of the first sentence or line, and whole words of it only.
fn name(icp: &str) -> String {
    let sentence = icp.trim().split(['.', ';', '\n']).next().unwrap_or_default().trim();
    let sentence = if sentence.is_empty() { icp.trim() } else { sentence };
    let (mut name, mut chars) = (String::new(), 0);
    for word in sentence.split_whitespace() {
        chars += word.chars().count() + 1;
        if chars > NAME_CHARS {
            break;
        }
        name.push_str(if name.is_empty() { "" } else { " " });
        name.push_str(word);
    }
    let name = name.trim_end_matches([',', ':', '-', '–']).to_owned();
    if name.is_empty() { sentence.chars().take(NAME_CHARS).collect() } else { name }
}

pub async fn delete(persona: String) -> Result<(), AppError> {
    let (app, client) = caller()?;
    answered(app.engine.store().delete_persona(&client.owner, Simulate::KIND, &persona).await.map_err(AppError::from))?;
    leptos_axum::redirect("/demo");
    Ok(())
}

pub async fn all(store: &dyn Store, owner: &str) -> Result<Vec<(Saved, String)>, AppError> {
    let saved = |row: PersonaRow| {
        let href = format!("/demo?persona={}", escape(&row.name));
        (Saved { name: row.name, href }, row.text)
    };
    Ok(store.personas(owner, Simulate::KIND).await?.into_iter().map(saved).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::story;

    #[test]
    fn customers_are_named_after_their_first_words() {
        let (long, unbroken) = ("very ".repeat(30), "x".repeat(100));
        for (icp, expect) in [
            ("Marta, 41, runs a bakery in Leeds. Hates fees.", "Marta, 41, runs a bakery in Leeds"),
            ("\n  Jonas,\nwill be a father", "Jonas"),
            (". starts oddly", ". starts oddly"),
            (long.as_str(), "very very very very very very very very very very very very"),
            (unbroken.as_str(), &unbroken[..60]),
        ] {
            assert_eq!(name(icp), expect);
        }
    }

    #[tokio::test]
    async fn the_same_name_replaces_and_fifty_are_the_most() {
        let (store, _folder) = story::sqlite().await;
        for i in 0..MOST {
            keep(&store, "anna", &format!("Customer {i}. Once.")).await.expect("kept");
        }
        assert_eq!(keep(&store, "anna", "One more.").await.expect_err("refused").at("personas"), Some(unsaved("full").as_str()));
        assert_eq!(keep(&store, "anna", "Customer 7. Twice.").await.expect("replaced"), "Customer 7");
        assert!(keep(&store, "anna", " ").await.is_err_and(|error| error.at("icp").is_some()));
        let kept = all(&store, "anna").await.expect("read");
        assert_eq!(kept.len(), MOST);
        let seven = kept.iter().find(|(saved, _)| saved.name == "Customer 7").expect("there");
        assert_eq!((seven.0.href.as_str(), seven.1.as_str()), ("/demo?persona=Customer%207", "Customer 7. Twice."));
    }
}
