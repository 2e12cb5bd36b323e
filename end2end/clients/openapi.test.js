// The document is what an official validator takes for OpenAPI 3.1.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { serve } from "./server.js";

test("openapi.json is valid OpenAPI 3.1", async (t) => {
  const url = await serve(t);
  const document = await (await fetch(`${url}/openapi.json`)).json();
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors, null, 2));
  assert.equal(validator.version, "3.1");
  validator.resolveRefs();
  // The validator is one that says no.
  const broken = await new Validator().validate({ ...document, paths: { "/x": { get: { responses: { 200: {} } } } } });
  assert.equal(broken.valid, false);
  for (const path of ["/api/simulate", "/api/simulate/{chatId}/stream", "/api/runs/{id}", "/api/events", "/metrics", "/health"]) {
    assert.ok(document.paths[path], `${path} is missing`);
  }
});
