//! A debate as `/openapi.json` describes it.

use crate::rooms::debate::flow::Phase;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema,
        schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Type},
    },
};

/// What [`DebateState`](crate::rooms::debate::flow::DebateState) is as JSON; a flow knows nothing of schemas.
pub struct DebateSchema;

impl ToSchema for DebateSchema {
    fn name() -> std::borrow::Cow<'static, str> {
        "DebateState".into()
    }
}

impl PartialSchema for DebateSchema {
    fn schema() -> RefOr<Schema> {
        let message = object(&[
            ("author_id", text("A persona’s id.")),
            ("author_name", text("A persona’s name.")),
            ("content", text("What was said.")),
            ("round_index", number("From 1 in EXCHANGE, 0 elsewhere.")),
            ("phase", phase()),
        ]);
        let persona = object(&[
            ("id", text("")),
            ("name", text("")),
            ("philosophy", text("What they believe.")),
            ("icon_hint", text("Which portrait they have.")),
        ])
        .property("hue", text("The name of their colour, where they have one of their own."))
        .property("model", text("`provider:model`, where they have one of their own."));
        object(&[
            ("phase", phase()),
            ("messages", list(message, "Everything that was said, in order; the summary is the last.")),
            ("openings", by_persona("Opening statements by persona.")),
            ("exchange_rounds", number("Exchange rounds that have begun.")),
            ("max_exchange_rounds", number("Exchange rounds there will be.")),
            ("reflections", by_persona("Reflections by persona.")),
            ("summary", text("Empty until it is written.")),
        ])
        .property("topic", text("The motion, where it is not the usual one."))
        .property("personas", list(persona, "The panel, where it is not the usual one."))
        .into()
    }
}

/// An object that always has these.
fn object(properties: &[(&str, RefOr<Schema>)]) -> ObjectBuilder {
    let with = |object: ObjectBuilder, (name, schema): &(&str, RefOr<Schema>)| object.property(*name, schema.clone()).required(*name);
    properties.iter().fold(ObjectBuilder::new().schema_type(Type::Object), with)
}

fn text(what: &str) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.description(Some(what).filter(|what| !what.is_empty())).into()
}

fn number(what: &str) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).description(Some(what)).into()
}

fn phase() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(Phase::ALL.map(Phase::word))).into()
}

fn by_persona(what: &str) -> RefOr<Schema> {
    let texts = AdditionalProperties::RefOr(text(""));
    ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(texts)).description(Some(what)).into()
}

fn list(of: ObjectBuilder, what: &str) -> RefOr<Schema> {
    let of: RefOr<Schema> = of.into();
    ArrayBuilder::new().items(of).description(Some(what)).into()
}
