//! `/openapi.json`: every route in OpenAPI 3.1. What a handler takes and answers is described beside it and registered
//! with it (`#[utoipa::path]`, `routes!`); server functions and pages are added from leptos's own lists.

use super::{AppState, problem::Problem};
use axum::{Extension, Json};
use leptos_axum::AxumRouteListing;
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};
use utoipa::{
    IntoResponses, Modify, OpenApi, PartialSchema, ToSchema,
    openapi::{
        self, ContentBuilder, Object, RefOr, Required, Response, ResponseBuilder, Schema,
        path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn, PathItem},
        request_body::RequestBodyBuilder,
        schema::Type,
        security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme},
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

/// What can go wrong, on every machine route.
pub struct Problems;

impl IntoResponses for Problems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let content = ContentBuilder::new().schema(Some(RefOr::Ref(openapi::Ref::from_schema_name(Problem::name())))).build();
        let response = ResponseBuilder::new().description("Problem details (RFC 9457).").content("application/problem+json", content);
        BTreeMap::from([("default".to_owned(), RefOr::T(response.build()))])
    }
}

/// Tags of what programs leave alone.
const PAGES: [&str; 2] = ["pages", "page functions"];

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Colloquy",
        description = "AI conversations as runs: started, followed, stopped and continued. \
            A run belongs to the owner of the cookie that started it; its run token opens it as well. \
            Where an access code is asked for, `Colloquy-Access-Code` says it. Times are Unix milliseconds."
    ),
    tags(
        (name = "rooms", description = "Where runs are started."),
        (name = "runs", description = "Any run, whatever its room."),
        (name = "operation", description = "For whoever runs the server."),
        (name = "pages", description = "HTML for people."),
        (name = "page functions", description = "What the pages call. They change with the pages: programs use the other routes."),
    ),
    components(schemas(Problem)),
    modifiers(&Security),
)]
struct Document;

struct Security;

impl Modify for Security {
    fn modify(&self, api: &mut openapi::OpenApi) {
        let bearer = |what: &str| SecurityScheme::Http(Http::builder().scheme(HttpAuthScheme::Bearer).description(Some(what)).build());
        let cookie = ApiKeyValue::with_description("colloquy_owner", "Set with the first response; owns every run started under it.");
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
        components.add_security_scheme("run_token", bearer("A run's `Colloquy-Run-Token`: opens that run."));
        components.add_security_scheme("admin_token", bearer("The server's COLLOQUY_ADMIN_TOKEN, or the one that its start has printed."));
    }
}

/// The frame of the document, and its own route. It is served as it is once `Extension(Arc<OpenApi>)` is laid over the router.
pub fn described() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Document::openapi()).routes(routes!(document))
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", operation_id = "openapi", tag = "operation", responses((status = 200, description = "OpenAPI 3.1.", body = Object)))]
async fn document(Extension(api): Extension<Arc<openapi::OpenApi>>) -> Json<Arc<openapi::OpenApi>> {
    Json(api)
}

/// Describes the pages, and the server functions that they call.
pub fn describe_pages(api: &mut openapi::OpenApi, pages: &[AxumRouteListing]) {
    let html = ContentBuilder::new().schema(Some(plain())).build();
    let page = ResponseBuilder::new().description("The page.").content("text/html", html).build();
    for listing in pages {
        let path = listing.path();
        let names = path.split(['{', '}']).skip(1).step_by(2).map(|name| name.trim_start_matches('*'));
        let parameter = |name: &str| {
            ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path).required(Required::True).schema(Some(plain())).build()
        };
        let operation = OperationBuilder::new().tag("pages").parameters(Some(names.map(parameter))).response("200", page.clone());
        api.paths.paths.entry(path.to_owned()).or_default().merge_operations(PathItem::new(HttpMethod::Get, operation));
    }
    for (path, method) in leptos::server_fn::axum::server_fn_paths() {
        let method = if method == axum::http::Method::GET { HttpMethod::Get } else { HttpMethod::Post };
        api.paths.paths.entry(path.to_owned()).or_default().merge_operations(PathItem::new(method, page_function()));
    }
}

/// The routes that programs call: those that are described as something else than pages and what pages call.
pub fn machine_routes(api: &openapi::OpenApi) -> HashSet<String> {
    let is_page = |item: &PathItem| {
        let operations = [&item.get, &item.post, &item.put, &item.patch, &item.delete];
        operations.into_iter().flatten().flat_map(|operation| operation.tags.iter().flatten()).any(|tag| PAGES.contains(&tag.as_str()))
    };
    api.paths.paths.iter().filter(|(_, item)| !is_page(item)).map(|(path, _)| path.clone()).collect()
}

fn page_function() -> OperationBuilder {
    let json = || ContentBuilder::new().schema(Some(serde_json::Value::schema())).build();
    let form = ContentBuilder::new().schema(Some(RefOr::T(Schema::Object(Object::with_type(Type::Object))))).build();
    let answer = ResponseBuilder::new().description("What the function answers.").content("application/json", json());
    let error = ResponseBuilder::new().description("Its error, typed as the pages read it.").content("application/json", json());
    OperationBuilder::new()
        .tag("page functions")
        .request_body(Some(RequestBodyBuilder::new().content("application/x-www-form-urlencoded", form).build()))
        .response("200", answer)
        .response("302", ResponseBuilder::new().description("A form posted without JavaScript: back to a page."))
        .response("default", error)
}

fn plain() -> RefOr<Schema> {
    RefOr::T(Schema::Object(Object::with_type(Type::String)))
}
