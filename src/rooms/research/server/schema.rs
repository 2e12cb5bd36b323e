//! The forms that models answer in, as JSON Schemas: what a message says, and the five sections. Every key is required and no
//! other is allowed, as the strictest providers want it; what was not found is empty or null.

use crate::rooms::research::flow::{Data, Field, Known, Reply, Section};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What a person's message says, as [`read_extraction`] takes it.
pub fn extraction() -> Value {
    let fields: Vec<(&str, Value)> = Field::ALL.iter().map(|field| (field.slug(), json!({ "type": ["string", "null"] }))).collect();
    object(&[
        (
            "reply",
            json!({ "type": "string", "enum": ["answer", "skip", "question"], "description": "What the message is to the question before it." }),
        ),
        ("fields", object(&fields)),
    ])
}

#[derive(Deserialize)]
struct Extraction {
    reply: Reply,
    fields: Map<String, Value>,
}

/// `None` where it is not in its form.
pub fn read_extraction(answer: Value) -> Option<(Reply, Vec<Known>)> {
    let Extraction { reply, fields } = serde_json::from_value(answer).ok()?;
    let known = |(name, value): (&String, &Value)| Some(Known { field: Field::parse(name)?, value: value.as_str()?.to_owned() });
    Some((reply, fields.iter().filter_map(known).collect()))
}

/// What a model answers that says this.
pub fn extraction_json((reply, known): &(Reply, Vec<Known>)) -> String {
    let value = |field: &Field| known.iter().find(|known| known.field == *field).map(|known| known.value.as_str());
    let fields: Map<String, Value> = Field::ALL.iter().map(|field| (field.slug().to_owned(), json!(value(field)))).collect();
    json!({ "reply": reply, "fields": fields }).to_string()
}

/// A section's data, as [`read_section`] takes it.
pub fn section(section: Section) -> Value {
    match section {
        Section::IndustryMarket => industry_market(),
        Section::Competitors => competitors(),
        Section::IcpValidation => icp_validation(),
        Section::OfferAnalysis => offer_analysis(),
        Section::CrossAnalysis => cross_analysis(),
    }
}

/// The data, or what is wrong with it.
pub fn read_section(section: Section, answer: Value) -> Result<Data, String> {
    let named = Value::Object(Map::from_iter([(section.slug().to_owned(), answer)]));
    serde_json::from_value(named).map_err(|error| error.to_string())
}

/// What a model answers that finds this.
pub fn section_json(data: &Data) -> String {
    serde_json::to_value(data).unwrap_or_default()[data.section().slug()].to_string()
}

fn industry_market() -> Value {
    object(&[
        ("overview", point("The market in two or three sentences.")),
        ("size", figure("How large it is, in the region asked about.")),
        ("growth", figure("How fast it grows or shrinks.")),
        ("trends", points("What is changing, the most important first.", 6)),
        ("buyingTriggers", points("What makes customers begin to look for something like this.", 6)),
        ("barriers", points("What keeps newcomers out, or customers where they are.", 6)),
    ])
}

fn competitors() -> Value {
    let month = "The same a month, in whole units of the currency; null where it cannot be said so.";
    let rival = object(&[
        ("name", text("")),
        ("positioning", text("What it says it is, in one sentence.")),
        ("price", text("As it is advertised, such as “from £19 a month”; empty where it was not found.")),
        ("pricePerMonth", number(month, 0, i64::from(u32::MAX))),
        ("strengths", texts("In a few words each.", 5)),
        ("gaps", texts("What it lacks, in a few words each.", 5)),
        ("sources", sources()),
    ]);
    object(&[
        ("landscape", point("Who there is, in two or three sentences.")),
        ("competitors", list(rival, "The most important first.", 8)),
        ("openings", points("What none of them offers.", 6)),
    ])
}

fn icp_validation() -> Value {
    let verdict = json!({
        "type": "string",
        "enum": ["strong", "promising", "weak", "unclear"],
        "description": "Unclear where the evidence does not carry a verdict.",
    });
    object(&[
        ("verdict", verdict),
        ("score", number("How well customer and product fit; null where the evidence does not carry a figure.", 0, 100)),
        ("reasoning", point("Why, in two or three sentences.")),
        ("evidence", points("What speaks for it.", 6)),
        ("concerns", points("What speaks against it, or is not known.", 6)),
        ("sharper", point("The customer described more sharply, in one or two sentences.")),
    ])
}

fn offer_analysis() -> Value {
    let mark = object(&[
        ("criterion", text("Such as clarity, price, proof or risk to the buyer.")),
        ("score", number("Null where there is nothing to judge it by.", 1, 10)),
        ("reason", text("In one sentence.")),
        ("sources", sources()),
    ]);
    object(&[
        ("overall", point("The offer in two or three sentences.")),
        ("scorecard", list(mark, "Four to six criteria.", 6)),
        ("redFlags", points("What would make a buyer turn away.", 6)),
        ("improvements", points("What to change, the most useful first.", 6)),
    ])
}

fn cross_analysis() -> Value {
    let share = "Its part of the stated monthly budget in whole percent. Together they make 100; null for all where no budget was stated.";
    let channel =
        object(&[("name", text("")), ("why", text("In one sentence.")), ("share", number(share, 0, 100)), ("sources", sources())]);
    object(&[
        ("positioning", point("One sentence that says for whom it is, what it does and why it is the better choice.")),
        ("channels", list(channel, "The most important first.", 6)),
        ("firstMoves", points("The first three moves, in their order.", 3)),
        ("risks", points("What could go wrong, the worst first.", 6)),
    ])
}

/// An object that has exactly these.
pub fn object(properties: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn described(mut schema: Value, what: &str) -> Value {
    if !what.is_empty() {
        schema["description"] = json!(what);
    }
    schema
}

fn text(what: &str) -> Value {
    described(json!({ "type": "string" }), what)
}

fn texts(what: &str, most: usize) -> Value {
    list(text(""), what, most)
}

/// A whole number, or null.
fn number(what: &str, least: i64, most: i64) -> Value {
    described(json!({ "type": ["integer", "null"], "minimum": least, "maximum": most }), what)
}

fn list(of: Value, what: &str, most: usize) -> Value {
    described(json!({ "type": "array", "items": of, "maxItems": most }), what)
}

/// Without a bound: numbers that stand in a text move into its list.
fn sources() -> Value {
    json!({ "type": "array", "items": { "type": "integer" }, "description": "The numbers of the sources it rests on." })
}

fn point(what: &str) -> Value {
    described(object(&[("text", text("")), ("sources", sources())]), what)
}

fn points(what: &str, most: usize) -> Value {
    list(point(""), what, most)
}

fn figure(what: &str) -> Value {
    let value = text("Such as “£4.2 bn in 2025”; empty where none was found.");
    described(object(&[("value", value), ("basis", text("What it rests on, or why there is none.")), ("sources", sources())]), what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::research::flow::{
        Point,
        data::{Channel, Competitor, Competitors, CrossAnalysis, Figure, IcpValidation, IndustryMarket, Mark, OfferAnalysis, Verdict},
    };

    fn full() -> [Data; 5] {
        let point = |text: &str| Point { text: text.into(), sources: vec![1, 2] };
        let figure = || Figure { value: "£1 bn".into(), basis: "A survey.".into(), sources: vec![1] };
        let rival = Competitor {
            name: "A".into(),
            positioning: "Cheap.".into(),
            price: "from £9".into(),
            price_per_month: Some(9),
            strengths: vec!["Known".into()],
            gaps: vec!["Slow".into()],
            sources: vec![2],
        };
        [
            Data::IndustryMarket(IndustryMarket {
                overview: point("a"),
                size: figure(),
                growth: figure(),
                trends: vec![point("b")],
                buying_triggers: vec![point("c")],
                barriers: vec![point("d")],
            }),
            Data::Competitors(Competitors { landscape: point("a"), competitors: vec![rival], openings: vec![point("b")] }),
            Data::IcpValidation(IcpValidation {
                verdict: Verdict::Promising,
                score: Some(100),
                reasoning: point("a"),
                evidence: vec![point("b")],
                concerns: vec![point("c")],
                sharper: point("d"),
            }),
            Data::OfferAnalysis(OfferAnalysis {
                overall: point("a"),
                scorecard: vec![Mark { criterion: "Price".into(), score: Some(1), reason: "Fair.".into(), sources: vec![] }],
                red_flags: vec![point("b")],
                improvements: vec![point("c")],
            }),
            Data::CrossAnalysis(CrossAnalysis {
                positioning: point("a"),
                channels: vec![Channel { name: "Fairs".into(), why: "They go there.".into(), share: Some(100), sources: vec![1] }],
                first_moves: vec![point("b")],
                risks: vec![point("c")],
            }),
        ]
    }

    fn empty(section: Section) -> Data {
        match section {
            Section::IndustryMarket => Data::IndustryMarket(IndustryMarket::default()),
            Section::Competitors => Data::Competitors(Competitors::default()),
            Section::IcpValidation => Data::IcpValidation(IcpValidation::default()),
            Section::OfferAnalysis => Data::OfferAnalysis(OfferAnalysis::default()),
            Section::CrossAnalysis => Data::CrossAnalysis(CrossAnalysis::default()),
        }
    }

    fn inner(data: &Data) -> Value {
        serde_json::to_value(data).expect("JSON")[data.section().slug()].clone()
    }

    /// Every object in a schema.
    fn objects(schema: &Value, found: &mut Vec<Value>) {
        if schema["type"] == "object" {
            found.push(schema.clone());
        }
        match schema {
            Value::Object(map) => map.values().for_each(|value| objects(value, found)),
            Value::Array(list) => list.iter().for_each(|value| objects(value, found)),
            _ => {}
        }
    }

    #[test]
    fn what_is_found_and_what_is_not_has_its_form_and_nothing_else_has() {
        for data in full().into_iter().chain(Section::ALL.map(empty)) {
            let (of, value) = (data.section(), inner(&data));
            let validator = jsonschema::validator_for(&section(of)).expect("a schema");
            assert!(validator.is_valid(&value), "{:?}", validator.iter_errors(&value).map(|error| error.to_string()).collect::<Vec<_>>());
            assert_eq!(read_section(of, value.clone()), Ok(data));
            // Not one key may be left out, and none added.
            for key in value.as_object().expect("an object").keys() {
                let mut without = value.clone();
                without.as_object_mut().expect("an object").remove(key);
                assert!(!validator.is_valid(&without), "{of:?} without {key}");
            }
            let mut with = value.clone();
            with["more"] = json!(1);
            assert!(!validator.is_valid(&with));
        }
    }

    #[test]
    fn scores_and_lengths_have_their_bounds() {
        let check = |of: Section, pointer: &str, wrong: Value| {
            let mut value = inner(&full()[of as usize]);
            *value.pointer_mut(pointer).expect("it is there") = wrong;
            assert!(!jsonschema::validator_for(&section(of)).expect("a schema").is_valid(&value), "{of:?} {value}");
        };
        check(Section::IcpValidation, "/score", json!(101));
        check(Section::IcpValidation, "/score", json!("strong"));
        check(Section::IcpValidation, "/verdict", json!("splendid"));
        check(Section::OfferAnalysis, "/scorecard/0/score", json!(0));
        check(Section::OfferAnalysis, "/scorecard/0/score", json!(7.5));
        check(Section::CrossAnalysis, "/channels/0/share", json!(-1));
        check(Section::CrossAnalysis, "/firstMoves", json!([null]));
        let move_ = json!({ "text": "a", "sources": [] });
        check(Section::CrossAnalysis, "/firstMoves", json!([move_, move_, move_, move_]));
    }

    #[test]
    fn the_strictest_providers_take_every_form() {
        let mut found = vec![];
        Section::ALL.map(section).into_iter().chain([extraction()]).for_each(|schema| objects(&schema, &mut found));
        assert!(found.len() > 20);
        for object in found {
            let keys: Vec<&String> = object["properties"].as_object().expect("properties").keys().collect();
            assert_eq!((json!(keys), &object["additionalProperties"]), (object["required"].clone(), &json!(false)));
        }
    }

    #[test]
    fn an_extraction_is_read_as_it_is_asked_for() {
        let fields: Map<String, Value> = Field::ALL.iter().map(|field| (field.slug().to_owned(), Value::Null)).collect();
        let mut answer = json!({ "reply": "answer", "fields": fields });
        answer["fields"]["industry"] = json!("Bakeries");
        assert!(jsonschema::validator_for(&extraction()).expect("a schema").is_valid(&answer));
        let known = vec![Known { field: Field::Industry, value: "Bakeries".into() }];
        assert_eq!(read_extraction(answer), Some((Reply::Answer, known)));
        assert_eq!(read_extraction(json!({ "reply": "maybe", "fields": {} })), None);
    }
}
