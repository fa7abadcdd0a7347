"""The fuzzer's way in: `open` signs in and writes schemathesis configurations for each kind of session,
`check` tells whether such a session still works.

What is hard: random ids only ever find 404. So `open` walks the lists of the API, and has the
configurations put the ids it found there into half of the generated requests.
"""

import json
import re
import sys
import tomllib
import urllib.error
import urllib.request
from pathlib import Path

REAL_ID_PROBABILITY = 0.5
IDS_PER_LIST = 20
PARENTS_TRIED = 3
TIMEOUT_SECONDS = 15


def call(origin, method, path, headers=None, body=None):
    """Sends JSON; returns the decoded answer and its headers. An HTTP error is raised."""
    request = urllib.request.Request(origin + path, method=method, headers={"Origin": origin, **(headers or {})})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        text = response.read()
        return (json.loads(text) if text else None), response.headers


def sign_in(origin, link_token):
    """Returns the headers of a cookie session, those of an API token, and what /api/auth/me says."""
    _, headers = call(origin, "POST", "/api/auth/links/redeem", body={"token": link_token})
    session = re.search(r"baton_session=[^;]+", "\n".join(headers.get_all("Set-Cookie", [])))
    if not session:
        sys.exit("fuzz: redeeming the sign-in link set no baton_session cookie")
    cookie = {"Cookie": session.group(), "Origin": origin}
    me, _ = call(origin, "GET", "/api/auth/me", cookie)
    wanted = {"name": "fuzz", "workspaceId": me["workspaces"][0]["id"]}
    made, _ = call(origin, "POST", "/api/auth/tokens", cookie, wanted)
    return cookie, {"Authorization": "Bearer " + made["token"]}, me


def parameter_prefixes(path):
    """The parts of a path that end in a parameter: /a/{x} and /a/{x}/b/{y} for /a/{x}/b/{y}/c."""
    return [path[: match.end()] for match in re.finditer(r"/\{[^/]*\}", path)]


def meaning(prefix):
    """What ids at the end of a prefix are called elsewhere: /a/things/{id} and /a/{thingId} are thingId."""
    *_, parent, parameter = ["", *prefix.split("/")]
    name = parameter[1:-1]
    return parent.removesuffix("s") + "Id" if name == "id" else camel_case(name)


def camel_case(name):
    return re.sub(r"_([a-z])", lambda match: match.group(1).upper(), name)


def snake_case(name):
    return re.sub(r"[A-Z]", lambda match: "_" + match.group().lower(), name)


def concrete_paths(path, operation, found):
    """The path with known ids in it (and in its query), a few times; none if a parameter is not known."""
    prefixes = parameter_prefixes(path)
    if not all(found.get(prefix) for prefix in prefixes):
        return
    by_meaning = {meaning(prefix): ids for prefix, ids in found.items() if ids}
    queried = [
        each["name"] for each in operation.get("parameters", []) if each["in"] == "query" and each["name"] in by_meaning
    ]
    if "agentId" in queried:  # where a list is of an agent or of a team, it is not of both
        queried = [name for name in queried if name != "teamId"]
    for nth in range(PARENTS_TRIED if prefixes or queried else 1):
        concrete = path
        for prefix in prefixes:
            concrete = re.sub(r"\{[^/]*\}", nth_or_last(found[prefix], nth), concrete, count=1)
        yield concrete + "?" + "&".join(f"{name}={nth_or_last(by_meaning[name], nth)}" for name in queried)


def nth_or_last(values, nth):
    return values[min(nth, len(values) - 1)]


def ids_in(answer, name):
    """The ids of listed objects, in `name` or else in `id`; the list is the answer itself or a value in it."""
    # What Baton has built in has names for ids, and no address of its own.
    lists = [each for name, each in answer.items() if name != "built_in"] if isinstance(answer, dict) else [answer]
    items = [item for each in lists if isinstance(each, list) for item in each if isinstance(item, dict)]
    ids = [item.get(name) or item.get(snake_case(name)) or item.get("id") for item in items]
    return [each for each in ids if isinstance(each, str)][:IDS_PER_LIST]


def lists_json(operation):
    return "application/json" in operation.get("responses", {}).get("200", {}).get("content", {})


def collect_ids(origin, headers, paths, me):
    """Maps every path prefix that ends in a parameter to the real ids it may have, where there are any."""
    prefixes = {prefix for path in paths for prefix in parameter_prefixes(path)}
    workspaces = [workspace["id"] for workspace in me["workspaces"]]
    found = {prefix: workspaces for prefix in prefixes if meaning(prefix) == "workspaceId"}
    own = me["profile"]["id"]  # whoever edits this one may lose the session
    for path in sorted(paths, key=len):  # parents before children
        children = sorted(prefix for prefix in prefixes if prefix.rsplit("/", 1)[0] == path)
        operation = paths[path].get("get", {})
        if not children or not lists_json(operation):
            continue
        for concrete in concrete_paths(path, operation, found):
            try:
                answer, _ = call(origin, "GET", concrete, headers)
            except (urllib.error.HTTPError, TimeoutError, ValueError):
                break  # a list that cannot be read is for the fuzzer to report
            for child in children:
                ids = [each for each in ids_in(answer, meaning(child)) if each != own]
                found[child] = found.get(child) or ids
            if all(found[child] for child in children):
                break
    # Longest first: where two prefixes have the same meaning, the last one, the shortest, speaks for it.
    return {prefix: found[prefix] for prefix in sorted(found, key=lambda each: (-len(each), each)) if found[prefix]}


def configuration(headers, paths, found, delete_found):
    """The schemathesis configuration as TOML; TOML strings are written as JSON strings."""
    names = {prefix: f"ids{index}" for index, prefix in enumerate(found)}
    chance = f"probability = {REAL_ID_PROBABILITY}"
    use = {prefix: f'{{ dictionary = "{name}", {chance} }}' for prefix, name in names.items()}
    lines = ["request-timeout = 20"]
    lines += ["[cache]", "enabled = false"]
    lines += ["[generation]", "with-security-parameters = false"]
    # Any refusal will do: text that is too long may meet the limit of all bodies first.
    lines += ["[checks.negative_data_rejection]", 'expected-statuses = ["4xx"]']
    lines += ["[headers]"] + [f"{name} = {json.dumps(value)}" for name, value in headers.items()]
    for prefix, name in names.items():
        lines += [f"[dictionaries.{name}]", f"values = {json.dumps(found[prefix])}"]

    lines += ["[parameters]"]
    for name, prefix in {meaning(prefix): prefix for prefix in found}.items():
        for place in ("query", "body"):
            lines += [f'"{place}.{spelling}" = {use[prefix]}' for spelling in dict.fromkeys([name, snake_case(name)])]

    for path, operations in paths.items():
        for method in sorted(operations.keys() & {"get", "put", "post", "delete", "patch"}):
            prefixes = [prefix for prefix in parameter_prefixes(path) if prefix in found]
            if method == "delete" and not delete_found and prefixes and prefixes[-1] == path:
                prefixes.pop()  # deleting what was found would leave the other operations with 404
            if prefixes:
                lines += ["[[operations]]", f"include-name = {json.dumps(method.upper() + ' ' + path)}"]
                lines += ["[operations.parameters]"]
                lines += [f'"path.{prefix.rsplit("/", 1)[1][1:-1]}" = {use[prefix]}' for prefix in prefixes]
    return "\n".join(lines) + "\n"


def open_sessions(origin, link_token, directory):
    cookie, bearer, me = sign_in(origin, link_token)
    paths = call(origin, "GET", "/api/openapi.json")[0]["paths"]
    found = collect_ids(origin, cookie, paths, me)
    passes = {"bearer": (bearer, False), "cookie": (cookie, False), "cookie-last": (cookie, True)}
    for name, (headers, delete_found) in passes.items():
        Path(directory, name + ".toml").write_text(configuration(headers, paths, found, delete_found))
    wanted = {prefix for path in paths for prefix in parameter_prefixes(path)}
    print("fuzz: real ids for", ", ".join(sorted(found)) or "nothing")
    print("fuzz: none for", ", ".join(sorted(wanted - found.keys())) or "nothing")


def check_session(origin, config):
    headers = tomllib.loads(Path(config).read_text())["headers"]
    try:
        call(origin, "GET", "/api/auth/me", headers)
    except urllib.error.HTTPError as error:
        sys.exit(f"fuzz: the {Path(config).stem} session ended early (/api/auth/me: {error.code}), so the rest "
                 "tested nothing; an operation is missing from ENDS_SESSION in scripts/fuzz")  # fmt: skip


if __name__ == "__main__":
    {"open": open_sessions, "check": check_session}[sys.argv[1]](*sys.argv[2:])
