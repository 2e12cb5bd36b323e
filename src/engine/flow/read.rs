//! How the lines of logs are read. The decoders that serde derives take the browser some three kilobytes for each type; these read
//! the same JSON, by its names, in a tenth of that. What is absent is empty, and a name that nobody knows is passed over.

use serde::Serialize;
pub use serde_json::Value as Json;

pub trait Read: Sized {
    /// `None` where it is something else.
    fn read(json: &Json) -> Option<Self>;
}

impl Read for String {
    fn read(json: &Json) -> Option<Self> {
        match json {
            Json::String(text) => Some(text.clone()),
            Json::Null => Some(String::new()),
            _ => None,
        }
    }
}

impl Read for bool {
    fn read(json: &Json) -> Option<Self> {
        match json {
            Json::Bool(yes) => Some(*yes),
            Json::Null => Some(false),
            _ => None,
        }
    }
}

impl Read for i64 {
    fn read(json: &Json) -> Option<Self> {
        if json.is_null() { Some(0) } else { json.as_i64() }
    }
}

impl Read for u32 {
    fn read(json: &Json) -> Option<Self> {
        i64::read(json)?.try_into().ok()
    }
}

impl Read for usize {
    fn read(json: &Json) -> Option<Self> {
        i64::read(json)?.try_into().ok()
    }
}

impl Read for Json {
    fn read(json: &Json) -> Option<Self> {
        Some(json.clone())
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: &Json) -> Option<Self> {
        match json {
            Json::Array(items) => items.iter().map(T::read).collect(),
            Json::Null => Some(Vec::new()),
            _ => None,
        }
    }
}

impl<T: Read> Read for Option<T> {
    fn read(json: &Json) -> Option<Self> {
        if json.is_null() { Some(None) } else { T::read(json).map(Some) }
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn read(json: &Json) -> Option<Self> {
        let [a, b] = json.as_array()?.as_slice() else { return None };
        Some((A::read(a)?, B::read(b)?))
    }
}

/// A value as it is written.
pub fn json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

/// The value of that name; null where there is none.
pub fn get<'a>(json: &'a Json, name: &str) -> &'a Json {
    json.get(name).unwrap_or(&Json::Null)
}

/// A variant's name, and what stands behind it: `{"said":{…}}`, or the name alone.
pub fn tagged(json: &Json) -> Option<(&str, &Json)> {
    match json {
        Json::String(tag) => Some((tag, &Json::Null)),
        Json::Object(map) => map.iter().next().map(|(tag, json)| (tag.as_str(), json)),
        _ => None,
    }
}

/// Reads a struct by its fields, or an enum by its variants, tagged from outside as serde does it. A name on the wire that is not the
/// field's own follows it: `price_per_month = "pricePerMonth"`.
#[macro_export]
macro_rules! read {
    (struct $type:ty { $($field:ident $(= $name:literal)?),* $(,)? }) => {
        impl $crate::engine::flow::read::Read for $type {
            fn read(json: &$crate::engine::flow::read::Json) -> Option<Self> {
                (json.is_object() || json.is_null()).then_some(())?;
                Some(Self { $($field: $crate::read!(field json $field $($name)?)),* })
            }
        }
    };
    (enum $type:ty { $($tag:literal => $variant:ident $shape:tt),* $(,)? }) => {
        impl $crate::engine::flow::read::Read for $type {
            fn read(json: &$crate::engine::flow::read::Json) -> Option<Self> {
                let (tag, json) = $crate::engine::flow::read::tagged(json)?;
                match tag {
                    $($tag => $crate::read!(variant json $variant $shape),)*
                    _ => None,
                }
            }
        }
    };
    (variant $json:ident $variant:ident ()) => { Some(Self::$variant) };
    (variant $json:ident $variant:ident (_)) => { Some(Self::$variant($crate::engine::flow::read::Read::read($json)?)) };
    (variant $json:ident $variant:ident { $($field:ident $(= $name:literal)?),* $(,)? }) => {
        Some(Self::$variant { $($field: $crate::read!(field $json $field $($name)?)),* })
    };
    (field $json:ident $field:ident) => { $crate::read!(field $json $field (stringify!($field))) };
    (field $json:ident $field:ident $name:expr) => {
        $crate::engine::flow::read::Read::read($crate::engine::flow::read::get($json, $name))?
    };
}

pub use crate::read;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, PartialEq)]
    struct Point {
        text: String,
        per_month: Option<i64>,
        sources: Vec<u32>,
    }
    read!(struct Point { text, per_month = "perMonth", sources });

    #[derive(Debug, PartialEq)]
    enum Event {
        Began,
        Found(Point),
        Moved { to: String, far: bool },
    }
    read!(enum Event { "began" => Began (), "found" => Found (_), "moved" => Moved { to, far } });

    fn check(json: Json, expect: Option<Event>) {
        assert_eq!(Event::read(&json), expect, "{json}");
    }

    #[test]
    fn what_is_absent_is_empty_and_what_is_another_kind_is_nothing() {
        let point = |text: &str, per_month, sources| Event::Found(Point { text: text.into(), per_month, sources });
        check(json!("began"), Some(Event::Began));
        check(json!({ "found": { "text": "a", "perMonth": 7, "sources": [1, 2], "more": null } }), Some(point("a", Some(7), vec![1, 2])));
        check(json!({ "found": {} }), Some(point("", None, vec![])));
        check(json!({ "moved": { "to": "b", "far": true } }), Some(Event::Moved { to: "b".into(), far: true }));
        for other in [
            json!({ "danced": {} }),
            json!({ "found": "a" }),
            json!({ "found": { "sources": [-1] } }),
            json!({ "moved": { "far": 1 } }),
            json!(7),
        ] {
            check(other, None);
        }
    }
}
