//! What every stream of chunks has to keep to, as the official clients do.

use serde_json::Value;
use std::collections::HashSet;

/// Which fields a chunk has, those it must have first.
const CHUNKS: [(&str, &[&str], &[&str]); 13] = [
    ("start", &["messageId", "messageMetadata"], &[]),
    ("start-step", &[], &[]),
    ("finish-step", &[], &[]),
    ("text-start", &["id"], &[]),
    ("text-delta", &["id", "delta"], &[]),
    ("text-end", &["id"], &[]),
    ("tool-input-start", &["toolCallId", "toolName"], &["providerExecuted"]),
    ("tool-input-available", &["toolCallId", "toolName", "input"], &["providerExecuted"]),
    ("tool-output-available", &["toolCallId", "output"], &["providerExecuted", "preliminary"]),
    ("tool-output-error", &["toolCallId", "errorText"], &["providerExecuted"]),
    ("finish", &["finishReason", "messageMetadata"], &[]),
    ("error", &["errorText"], &[]),
    ("data-phase", &["id", "data"], &[]),
];

/// Fails where the chunks are not a whole message in the order that clients read.
pub fn assert_message(chunks: &[Value]) {
    let kind = |chunk: &Value| chunk["type"].as_str().expect("a type").to_owned();
    assert_eq!(kind(&chunks[0]), "start");
    assert!(["finish", "error"].contains(&kind(chunks.last().expect("chunks")).as_str()), "{chunks:?}");
    let (mut in_step, mut steps, mut texts, mut begun, mut called, mut closed) =
        (false, 0, HashSet::new(), HashSet::new(), HashSet::new(), HashSet::new());
    for chunk in chunks {
        let (name, id) = (kind(chunk), chunk["toolCallId"].as_str().or(chunk["id"].as_str()).unwrap_or_default().to_owned());
        let (_, needed, optional) = CHUNKS.iter().find(|(known, ..)| *known == name).unwrap_or_else(|| panic!("{chunk}"));
        let fields = chunk.as_object().expect("an object");
        assert!(needed.iter().all(|field| fields.contains_key(*field)), "{chunk}");
        assert!(
            fields.keys().all(|field| field == "type" || needed.contains(&field.as_str()) || optional.contains(&field.as_str())),
            "{chunk}"
        );
        assert!(fields.iter().all(|(field, value)| !value.is_null() || ["input", "output"].contains(&field.as_str())), "{chunk}");
        let right = match name.as_str() {
            "start" => steps == 0 && !in_step,
            "start-step" => {
                steps += 1;
                !std::mem::replace(&mut in_step, true)
            }
            "finish-step" => std::mem::take(&mut in_step) && texts.is_empty(),
            "text-start" => in_step && texts.insert(id),
            "text-delta" => texts.contains(&id),
            "text-end" => texts.remove(&id),
            "tool-input-start" => in_step && begun.insert(id),
            "tool-input-available" => begun.contains(&id) && called.insert(id),
            "tool-output-available" if chunk["preliminary"] == true => called.contains(&id) && !closed.contains(&id),
            "tool-output-available" | "tool-output-error" => called.contains(&id) && closed.insert(id),
            "finish" => steps > 0 && !in_step,
            _ => true,
        };
        assert!(right, "out of order: {chunk} in {chunks:#?}");
    }
}

/// The calls that have no output, by the names of their tools.
pub fn open_calls(chunks: &[Value]) -> Vec<&str> {
    let closed = |id: &Value| {
        let output =
            |chunk: &&Value| chunk["type"].as_str().is_some_and(|kind| kind.starts_with("tool-output")) && chunk["preliminary"] != true;
        chunks.iter().filter(output).any(|chunk| chunk["toolCallId"] == *id)
    };
    let calls = chunks.iter().filter(|chunk| chunk["type"] == "tool-input-available");
    calls.filter(|call| !closed(&call["toolCallId"])).filter_map(|call| call["toolName"].as_str()).collect()
}
