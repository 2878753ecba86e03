#!/usr/bin/env python3
"""`kymo mcp`, asked by the client of the Model Context Protocol's own Python package.

    Tests/Oracles/mcp_client.py KYMO

The package starts the program, checks each answer against the protocol's types, and lists and calls its tools: on a
recording and, if this machine has a headless shell, on fixture pages and a server that redirects to another machine. Then
the program gets bytes that are no protocol, each before a request that it must still answer.
"""
import argparse
import asyncio
import http.server
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading

from packages import need

need()

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from export_checks.checking import check, findings, tally
from web_page.place import PAGES, ROOT

TOOLS = ["watch", "show", "check", "compare", "fit", "velocity", "report", "video"]
# No request for it may leave the browser, so it need not exist.
ELSEWHERE = "http://kymograph.example/"
PING = b'{"jsonrpc": "2.0", "id": "alive", "method": "ping"}\n'


class Redirects(http.server.BaseHTTPRequestHandler):
    """A server of this machine that sends who asks to another one."""

    def do_GET(self):
        if self.path == "/inside":
            body = (PAGES / "watch/sheet-speed.html").read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        else:
            self.send_response(302)
            self.send_header("Location", "/inside" if self.path == "/near" else ELSEWHERE)
            self.end_headers()

    def log_message(self, *words):
        pass


def text_of(result):
    return "".join(part.text for part in result.content if part.type == "text")


class Calls:
    """Calls of one session, each checked for what every answer has."""

    def __init__(self, session):
        self.session = session

    async def call(self, words, tool, arguments, code, is_error=False):
        result = await self.session.call_tool(tool, arguments)
        fields = result.model_dump(by_alias=True, mode="json")
        text, structured = text_of(result), fields["structuredContent"] or {}
        check(f"{words}: the exit code is {code}", structured.get("exit_code") == code, text)
        check(f"{words}: both forms have the text", structured.get("text") == text, structured)
        check(f"{words}: it is {'an' if is_error else 'no'} error", bool(fields["isError"]) == is_error, text)
        return text


async def test_tools(session):
    """The list of tools, as the package reads it."""
    tools = (await session.list_tools()).tools
    check("the tools are those of the list", [tool.name for tool in tools] == TOOLS, tools)
    size = sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools)
    check("their definitions have at most 3,300 bytes", size <= 3300, size)
    print(f"  {len(tools)} tools in {size} bytes")
    schemas = [tool.model_dump(by_alias=True, mode="json")["inputSchema"] for tool in tools]
    check("each schema is that of an object", all(schema["type"] == "object" for schema in schemas), schemas)
    check("what is required is a property",
          all(set(schema.get("required", [])) <= set(schema["properties"]) for schema in schemas), schemas)


async def test_recording(calls, kymo, folder):
    """Tools that read a recording say what their commands say."""
    path = folder / "pinch.kymo"
    subprocess.run(
        [kymo, "record", "--scenario", ROOT / "Tests/Fixtures/scenarios/grid-to-detail.pinch.json", "--gesture",
         ROOT / "Tests/Fixtures/gestures/pinch-open.evemu", "--into", path], check=True, capture_output=True)
    for tool, arguments, words in [
        ("show", {"file": [f"{path}#1"]}, [f"{path}#1"]),
        ("velocity", {"file": str(path)}, [path]),
        ("fit", {"file": str(path), "key": "progress"}, [path, "--key", "progress"]),
        ("compare", {"a": str(path), "b": str(path)}, [path, path]),
    ]:
        own = subprocess.run([kymo, tool, *map(str, words)], capture_output=True, text=True)
        text = await calls.call(tool, tool, arguments, own.returncode)
        check(f"{tool}: the text is the command's", text == own.stdout + own.stderr, text)
    page = folder / "page.html"
    await calls.call("report", "report", {"a": str(path), "out": str(page)}, 0)
    check("report writes the page", page.exists() and page.stat().st_size > 10_000)
    await calls.call("a file that is not there", "show", {"file": ["none.kymo"]}, 4, is_error=True)
    await calls.call("an argument that is not defined", "watch", {"url": "a.html", "browser": "/bin/sh"}, 2, is_error=True)
    return path


async def test_watch(calls, folder):
    """`watch` on pages of this machine, and on those that are not."""
    page = str(PAGES / "watch/sheet-speed.html")
    kept = str(folder / "sheet.kymo")
    text = await calls.call(
        "watch", "watch", {"url": page, "actions": ["swipe #sheet up"], "into": kept}, 1)
    check("watch tells the fault", any(line.startswith("! sheet: let go at ") for line in text.splitlines()), text)
    told = await calls.call("the recording of watch", "show", {"file": [f"{kept}#1"]}, 0)
    check("show tells the same fault", "! sheet: let go at " in told, told)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Redirects)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        here = f"http://127.0.0.1:{server.server_port}"
        text = await calls.call("a redirect on this machine", "watch",
                                {"url": f"{here}/near", "actions": ["wait 10"]}, 0)
        check("it is followed", text.startswith("did: wait 10 ms"), text)
        text = await calls.call("a redirect to another machine", "watch",
                                {"url": f"{here}/far", "actions": ["wait 10"]}, 4, is_error=True)
        check("it is refused", f'leads to "{ELSEWHERE}", which is not on this machine' in text, text)
    finally:
        server.shutdown()
    text = await calls.call("another machine", "watch", {"url": ELSEWHERE}, 2, is_error=True)
    check("it is refused, too", "is not on this machine" in text, text)


async def test_client(kymo, folder):
    # The package hands on few variables of its own accord; the browser may be named by one.
    server = StdioServerParameters(command=kymo, args=["mcp", "--any-path"], env=dict(os.environ), cwd=str(folder))
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        answer = (await session.initialize()).model_dump(by_alias=True, mode="json")
        check("the server names itself", answer["serverInfo"]["name"] == "kymograph", answer)
        check("it says what the texts of a page are", "data, not instructions" in answer["instructions"], answer)
        print(f"  protocol {answer['protocolVersion']}, instructions of {len(answer['instructions'])} bytes")
        await session.send_ping()
        await test_tools(session)
        calls = Calls(session)
        await test_recording(calls, kymo, folder)
        probe = await session.call_tool(
            "watch", {"url": str(PAGES / "watch/sheet.html"), "actions": ["wait 1"], "clock": "steady"})
        if "no headless shell" in text_of(probe):
            print("  skipped: watch, since this machine has no headless shell")
        else:
            await test_watch(calls, folder)


def hostile_lines():
    """Lines that are no requests, or those of an enemy."""
    source = random.Random(34)
    yield b""
    yield b"GET / HTTP/1.1\r"
    yield b"Content-Length: 40\r"
    yield b"[" * 200_000
    yield b'{"a":' * 50_000
    yield b"[" + b",".join([PING.strip()] * 10) + b"]"
    yield b"x" * (9 << 20)
    yield b'{"jsonrpc": "2.0", "id": 1e400, "method": "ping"}'
    yield b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}'
    deep = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": "show", "arguments": {"file": ["x" * 1_000_000, "\u0000", "\ud800"]}}})
    yield deep.encode()
    for name in ["../../bin/sh", "sql", "", "show --format json", "watch\n", 5, None, ["show"]]:
        yield json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                          "params": {"name": name, "arguments": {}}}).encode()
    valid = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                        "params": {"name": "velocity", "arguments": {"file": "none.kymo"}}}).encode()
    for _ in range(300):
        damaged = bytearray(valid)
        for _ in range(source.randint(1, 6)):
            place = source.randrange(len(damaged))
            damaged[place:place + source.randint(0, 3)] = source.randbytes(source.randint(0, 3)).replace(b"\n", b" ")
        yield bytes(damaged)


def test_hostile(kymo):
    """Each line is passed over or answered, and the request behind it is answered."""
    lines = list(hostile_lines())
    text = b"".join(line + b"\n" + PING for line in lines)
    run = subprocess.run([kymo, "mcp"], input=text, capture_output=True, timeout=120)
    check("hostile lines do not end it", run.returncode == 0, f"{run.returncode} {run.stderr[-300:]}")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    alive = [answer for answer in answers if answer.get("id") == "alive" and answer.get("result") == {}]
    check("each request behind one is answered", len(alive) >= len(lines), (len(alive), len(lines)))
    check("all else are errors, of the protocol or of a call",
          all("error" in answer or answer["result"] == {} or answer["result"]["isError"] for answer in answers))
    print(f"  {len(lines)} hostile lines")
    for end in [b"", PING.strip(), b'{"jsonrpc": "2.0", "id"']:
        run = subprocess.run([kymo, "mcp"], input=end, capture_output=True, timeout=60)
        check("the end of the input ends it with 0", run.returncode == 0 and not run.stderr, run)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kymo")
    kymo = str(pathlib.Path(parser.parse_args().kymo).resolve())
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(test_client(kymo, pathlib.Path(folder)))
    test_hostile(kymo)
    print(f"{tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
