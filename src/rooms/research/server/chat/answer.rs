//! Answers to questions as clients give them: a string, several of them, or `{ "answer": … }`.

use crate::{
    http::chat::ToolState,
    rooms::research::flow::{Choice, Field, is_skip},
};
use serde_json::Value;

/// What was answered.
#[derive(Debug, PartialEq)]
pub enum Answer {
    /// Of the options, by their places.
    Chosen(Vec<u32>),
    Words(String),
    /// Nothing, or that they do not know.
    Skipped,
}

impl Answer {
    /// `None` where there is no answer yet. A question that a client could not put to anybody is skipped.
    pub fn of(state: &ToolState, options: &[Choice]) -> Option<Answer> {
        match state {
            ToolState::Open => None,
            ToolState::Error(_) => Some(Answer::Skipped),
            ToolState::Output(output) => Some(Answer::read(&words(output), options)),
        }
    }

    /// `words` are the strings it consists of.
    pub fn read(words: &[String], options: &[Choice]) -> Answer {
        let same = |a: &str, b: &str| a.trim().to_lowercase() == b.trim().to_lowercase();
        let place = |word: &String| options.iter().position(|option| same(&option.value, word) || same(&option.label, word));
        let places: Option<Vec<u32>> = words.iter().map(|word| place(word).map(|place| place as u32)).collect();
        match places {
            _ if words.is_empty() => Answer::Skipped,
            Some(places) => Answer::Chosen(places),
            None if words.iter().all(|word| is_skip(word)) => Answer::Skipped,
            None => Answer::Words(words.join(", ")),
        }
    }
}

/// The strings of an answer, none of them empty.
fn words(output: &Value) -> Vec<String> {
    match output {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()).into_iter().collect(),
        Value::Array(several) => several.iter().flat_map(words).collect(),
        Value::Object(fields) => fields.get("answer").map(words).unwrap_or_default(),
        Value::Number(number) => vec![number.to_string()],
        Value::Bool(true) => vec!["yes".to_owned()],
        Value::Bool(false) => vec!["no".to_owned()],
        Value::Null => vec![],
    }
}

/// A question as it stands in a call's input.
pub struct Asked {
    pub question: String,
    pub field: Field,
    pub options: Vec<Choice>,
}

impl Asked {
    /// `None` where it names no field that is known here.
    pub fn read(input: &Value) -> Option<Asked> {
        let options = input["options"].as_array().into_iter().flatten();
        Some(Asked {
            question: input["question"].as_str().unwrap_or_default().trim().to_owned(),
            field: Field::parse(input["field"].as_str()?)?,
            options: options.filter_map(|option| serde_json::from_value(option.clone()).ok()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_are_read_in_every_form_that_clients_give_them() {
        let asked = Asked::read(&json!({
            "question": "Whom do you sell to?", "field": "businessModel",
            "options": [{ "label": "Businesses", "value": "B2B" }, { "label": "People", "value": "B2C" }, "odd", { "label": "Both" }],
        }))
        .expect("a question");
        assert_eq!((asked.field, asked.options.len()), (Field::BusinessModel, 2));
        let words = |text: &str| Answer::Words(text.to_owned());
        for (output, expect) in [
            (json!("B2B"), Answer::Chosen(vec![0])),
            (json!(" people "), Answer::Chosen(vec![1])),
            (json!({ "answer": "b2c" }), Answer::Chosen(vec![1])),
            (json!({ "answer": ["B2C", "Businesses"], "field": "x" }), Answer::Chosen(vec![1, 0])),
            (json!(["B2B", "schools"]), words("B2B, schools")),
            (json!("Bakeries in Leeds, mostly"), words("Bakeries in Leeds, mostly")),
            (json!({ "answer": 1500 }), words("1500")),
            (json!(true), words("yes")),
            (json!("I don’t know."), Answer::Skipped),
            (json!(""), Answer::Skipped),
            (json!({ "answer": null }), Answer::Skipped),
            (json!({ "other": "B2B" }), Answer::Skipped),
            (json!([]), Answer::Skipped),
        ] {
            assert_eq!(Answer::of(&ToolState::Output(output.clone()), &asked.options), Some(expect), "{output}");
        }
        assert_eq!(Answer::of(&ToolState::Open, &[]), None);
        assert_eq!(Answer::of(&ToolState::Error("the page was closed".into()), &[]), Some(Answer::Skipped));
        assert!(Asked::read(&json!({ "question": "?", "field": "weather" })).is_none());
    }
}
