"""The official clients of the Model Context Protocol, in both generations of it, against a server of their own."""

import asyncio
import json
import traceback
import urllib.request
from dataclasses import dataclass
from typing import Any

import fastmcp
import mcp

from server import serve

OWN = [
    {"name": "Ada", "philosophy": "Count first.", "hue": "teal"},
    {"id": "bo", "name": "Bo", "philosophy": "Feel first.", "icon_hint": "poet"},
]


@dataclass
class Answer:
    """What a tool has answered; `said` is why it refused."""

    content: Any
    text: str
    said: str | None


class Official:
    """PyPI `mcp`."""

    def __init__(self, url, mode):
        self.client = mcp.Client(url, mode=mode)

    async def call(self, tool, told=None, **arguments):
        result = await self.client.call_tool(tool, arguments, progress_callback=told)
        text = result.content[0].text
        return Answer(result.structured_content, text, text if result.is_error else None)

    async def greeting(self):
        return self.client.server_info, self.client.instructions, (await self.client.list_tools()).tools


class Fast:
    """PyPI `fastmcp`."""

    def __init__(self, url, mode):
        self.client = fastmcp.Client(url, mode=mode)

    async def call(self, tool, told=None, **arguments):
        try:
            result = await self.client.call_tool(tool, arguments, progress_handler=told)
        except fastmcp.exceptions.ToolError as error:
            return Answer(None, "", str(error))
        # A prompt comes as the string it is.
        text = result.data if isinstance(result.data, str) else result.content[0].text
        return Answer(result.structured_content, text, None)

    async def greeting(self):
        return self.client.server_info, self.client.instructions, await self.client.list_tools()


async def greets_and_says_what_it_offers(client, _url):
    revision = client.client.protocol_version
    assert (revision == "2026-07-28") is (client.client.mode == "auto"), revision
    server, instructions, tools = await client.greeting()
    assert server.name == "Colloquy" and server.version
    assert "create_initial_state" in instructions and "run_debate" in instructions
    assert len(tools) == 15, [tool.name for tool in tools]
    for tool in tools:
        pure = tool.name != "run_debate"
        assert tool.title and tool.description and tool.annotations.title == tool.title
        assert tool.annotations.read_only_hint is pure and tool.annotations.idempotent_hint is pure
        assert tool.annotations.destructive_hint is False
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"


async def drives_a_whole_debate_from_outside(client, _url):
    called = set()

    async def ask(tool, **arguments):
        called.add(tool)
        answer = await client.call(tool, **arguments)
        assert answer.said is None, f"{tool}: {answer.said}"
        return answer

    async def change(tool, **arguments):
        return (await ask(tool, **arguments)).content

    state = await change("create_initial_state", max_exchange_rounds=2, topic="Tea or coffee?", personas=OWN)
    debaters = [persona["id"] for persona in state["personas"] if persona["id"] != "summariser"]
    assert debaters == ["ada", "bo"]

    async def everybody(part, record, **round):
        nonlocal state
        for persona in debaters:
            before = json.dumps(state)
            prompt = (await ask(f"build_{part}_prompt", persona_id=persona, state_dict=state, **round)).text
            assert "Tea or coffee?" in prompt, prompt
            words = f"{persona} in {part} {round.get('round', '')}"
            state = await change(record, persona_id=persona, text=words, state_dict=state, **round)
            assert len(state["messages"]) == len(json.loads(before)["messages"]) + 1
            assert state["messages"][-1]["content"] == words

    async def phase(name):
        nonlocal state
        state = await change("advance_phase", state_dict=state, new_phase=name)
        assert state["phase"] == name

    await everybody("opening", "record_opening")
    await phase("DEFENCE")
    await everybody("defence", "record_defence")
    await phase("EXCHANGE")
    for round in (1, 2):
        state = await change("advance_exchange_round", state_dict=state)
        await everybody("exchange", "record_exchange_message", round=round)
    await phase("REFLECTION")
    await everybody("reflection", "record_reflection")
    await phase("SUMMARY")
    assert "bo in defence" in (await ask("build_summary_prompt", state_dict=state)).text
    state = await change("record_summary", text="Both have a point.", state_dict=state)
    await phase("DONE")
    assert await change("get_debate_state", state_dict=state) == state
    assert len(called) == 14, sorted(called)
    assert len(state["messages"]) == 2 * (3 + 2) + 1 and state["exchange_rounds"] == 2


async def holds_a_debate_here_and_tells_its_progress(client, url):
    told = []

    async def tell(done, of, what):
        told.append((done, of, what))

    answer = await client.call("run_debate", told=tell, max_exchange_rounds=2)
    assert answer.said is None, answer.said
    state = answer.content
    assert state["phase"] == "DONE" and state["exchange_rounds"] == 2 and state["summary"]
    of = 3 * (3 + 2) + 1
    assert [(done, total) for done, total, _ in told] == [(done, of) for done in range(1, of + 1)], told
    words = [what for _, _, what in told]
    assert words[0] == "Napoleon, OPENING" and words[10] == "Gandhi, EXCHANGE round 2" and words[-1] == "Summariser, SUMMARY", words
    request = urllib.request.Request(f"{url}/api/runs/{state['run_id']}", headers={"authorization": f"Bearer {state['run_token']}"})
    with urllib.request.urlopen(request) as response:
        run = json.load(response)
    assert run["kind"] == "debate" and run["status"] == "done"
    # Without a token for progress nothing is told, and the rest is the same.
    assert (await client.call("run_debate", max_exchange_rounds=1)).content["phase"] == "DONE"


async def refuses_in_words(client, _url):
    state = (await client.call("create_initial_state")).content
    message = {"author_id": "gandhi", "author_name": "Gandhi", "content": "x", "round_index": 0, "phase": "OPENING"}
    huge = {**state, "messages": [message] * 10_000}
    for tool, arguments, words in [
        ("create_initial_state", {"max_exchange_rounds": 10**9}, "Choose 1 to 6 exchange rounds."),
        ("create_initial_state", {"max_exchange_rounds": -1}, "a whole number from 1 to 6, and was -1"),
        ("create_initial_state", {"rounds": 3}, "There is no argument “rounds” here."),
        ("record_opening", {"persona_id": None, "text": "x", "state_dict": state}, "persona_id is missing."),
        ("record_opening", {"persona_id": "gandhi", "text": "x", "state_dict": huge}, "holds at most 19 messages"),
        ("record_defence", {"persona_id": "gandhi", "text": "x", "state_dict": state}, "This belongs into DEFENCE"),
        ("run_debate", {"topic": " "}, "Write a motion"),
        ("run_debate", {"personas": [{"name": "Ada"}]}, "philosophy"),
    ]:
        answer = await client.call(tool, **arguments)
        assert answer.said and words in answer.said and len(answer.said) < 400, (tool, answer)


TESTS = [
    greets_and_says_what_it_offers,
    drives_a_whole_debate_from_outside,
    holds_a_debate_here_and_tells_its_progress,
    refuses_in_words,
]
# Both know the older handshake, and find the newest revision by themselves.
CLIENTS = [(kind, mode) for kind in (Official, Fast) for mode in ("legacy", "auto")]


async def run(url, kind, mode, test):
    """The failure, if it failed."""
    client = kind(f"{url}/mcp", mode)
    try:
        async with client.client:
            await asyncio.wait_for(test(client, url), 60)
    except Exception:
        return traceback.format_exc()


def main():
    passed, failed = 0, 0
    with serve() as url:
        for kind, mode in CLIENTS:
            for test in TESTS:
                failure = asyncio.run(run(url, kind, mode, test))
                passed, failed = passed + (failure is None), failed + (failure is not None)
                name = f"{kind.__doc__.strip('.')} ({mode}) {test.__name__.replace('_', ' ')}"
                print(f"{'not ok' if failure else 'ok'}: {name}", failure or "", sep="\n" if failure else "")
    print(f"{passed} passed, {failed} failed")
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
