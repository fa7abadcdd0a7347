"""Uses a workspace over MCP, by a client that others wrote: `mcp_clients.py mcp|langchain SIGN_IN_LINK`.

The link is signed in with once; the session is kept beside it, as a link is good for one time only.
"""

import asyncio
import json
import re
import sys
import urllib.request
from pathlib import Path


def call(origin, path, body, cookie=""):
    headers = {"Content-Type": "application/json", "Origin": origin, "Cookie": cookie}
    request = urllib.request.Request(origin + path, method="POST" if body else "GET", headers=headers)
    request.data = json.dumps(body).encode() if body else None
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.loads(response.read() or "null"), response.headers


def session(origin, link):
    kept = Path("build/mcp-clients") / f"session-{origin.rsplit(':', 1)[1]}"
    if kept.exists() and kept.read_text().startswith(link):
        return kept.read_text().split("\n", 1)[1]
    _, headers = call(origin, "/api/auth/links/redeem", {"token": link})
    cookie = re.search(r"baton_session=[^;]+", "\n".join(headers.get_all("Set-Cookie", []))).group()
    kept.write_text(f"{link}\n{cookie}")
    return cookie


def token(origin, link):
    cookie = session(origin, link)
    me, _ = call(origin, "/api/auth/me", None, cookie)
    wanted = {"name": "client", "workspaceId": me["workspaces"][0]["id"]}
    return call(origin, "/api/auth/tokens", wanted, cookie)[0]["token"]


def check(what, holds):
    print(("  ok: " if holds else "  FAILED: ") + what)
    if not holds:
        sys.exit(1)


CREATE = {"action": "create", "title": "Written by a client", "body": "Over MCP."}
ASK = {"message": "What time is it?"}


async def with_mcp(url, headers):
    import httpx2
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    told = []

    async def progress(done, total, message):
        told.append((done, message))

    for mode, version in (("auto", "2026-07-28"), ("legacy", "2025-11-25")):
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                check(f"{mode}: the version is {version}", client.protocol_version == version)
                names = [tool.name for tool in (await client.list_tools()).tools]
                check("tools and agents are listed", "manageKnowledge" in names and "ask_budget-coach" in names)
                made = await client.call_tool("manageKnowledge", CREATE)
                check("a page is written", not made.is_error and '"id"' in made.content[0].text)
                wrong = await client.call_tool("manageKnowledge", {"action": "burn"})
                check("what doesn't fit is an error that a model can read", wrong.is_error)
                told.clear()
                answer = await client.call_tool("ask_budget-coach", ASK, progress_callback=progress)
                check("an agent answers", not answer.is_error and answer.content[0].text.strip() != "")
                check("its progress is told and only grows", told and told == sorted(told, key=lambda one: one[0]))


async def with_langchain(url, headers):
    from langchain_mcp_adapters.client import MultiServerMCPClient

    connection = {"transport": "streamable_http", "url": url, "headers": headers}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"baton": connection}).get_tools()}
    check("tools and agents are listed", "manageKnowledge" in tools and "ask_budget-coach" in tools)
    made = await tools["manageKnowledge"].ainvoke(CREATE)
    check("a page is written", '"id"' in json.dumps(made).replace('\\"', '"'))
    answer = json.dumps(await tools["ask_budget-coach"].ainvoke(ASK))
    check("an agent answers, and says how to go on", "conversationId" in answer)


def main(client, link):
    origin, secret = re.match(r"(http://[^/]+)/sign-in/link#(.+)", link).groups()
    headers = {"Authorization": "Bearer " + token(origin, secret)}
    run = {"mcp": with_mcp, "langchain": with_langchain}[client]
    asyncio.run(run(origin + "/mcp", headers))


main(*sys.argv[1:])
