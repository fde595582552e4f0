"""Works with a Minions server for five minutes, from nothing but its OpenAPI document.

    minions keys create --owner ada --scope write
    minions serve
    MINIONS_URL=http://127.0.0.1:4747 MINIONS_KEY=mk_... python3 five_minutes.py

Needs Python 3.9 or newer and nothing else.
"""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
import uuid


class Problem(Exception):
    """A problem document (RFC 9457), which the server answers with when it refuses."""

    def __init__(self, problem):
        super().__init__(f"{problem['status']} {problem['code']}: {problem['detail']}")
        self.code = problem["code"]


class Api:
    """The operations that a document describes, by their ids."""

    def __init__(self, url, key):
        self.url = url
        self.key = key
        document = self.send("GET", "/api/openapi.json")
        assert document["openapi"].startswith("3.1")
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }

    def send(self, method, path, body=None, headers=None):
        """Sends a request and reads its JSON; raises the problem that the server answers with."""
        request = urllib.request.Request(self.url + path, method=method)
        request.add_header("Authorization", f"Bearer {self.key}")
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise Problem(json.load(error)) from None

    def call(self, operation, arguments, headers=None):
        """Calls an operation as the document says: with a body, or with query parameters."""
        method, path, described = self.operations[operation]
        if "requestBody" in described:
            return self.send(method, path, arguments, headers)
        parameters = {p["name"]: p for p in described["parameters"] if p.get("in") == "query"}
        query = {
            name: json.dumps(value) if "content" in parameters[name] or not isinstance(value, (str, list)) else value
            for name, value in arguments.items()
        }
        return self.send(method, f"{path}?{urllib.parse.urlencode(query, doseq=True)}", headers=headers)

    def events(self, since):
        """What was committed behind a cursor, as server-sent events, until there is a sign of life without one."""
        _, path, _ = self.operations["server.events"]
        request = urllib.request.Request(f"{self.url}{path}?{urllib.parse.urlencode({'since': since})}")
        request.add_header("Authorization", f"Bearer {self.key}")
        with urllib.request.urlopen(request) as stream:
            fields = {}
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                elif fields.get("event") == "change":
                    yield json.loads(fields["data"])
                    fields = {}
                else:
                    return


def main():
    api = Api(os.environ["MINIONS_URL"], os.environ["MINIONS_KEY"])
    print(len(api.operations), "operations")

    note = api.call("objects.create", {"type": "note", "title": "Plants", "fields": {"content": "Water them."}})
    print("created", note["title"], "by", note["createdBy"])
    print("got", api.call("objects.get.query", {"id": note["id"]})["fields"]["content"])
    found = api.call("objects.find.query", {"type": "note", "where": {"title": "Plants"}, "limit": 10})
    print("found", len(found["items"]))

    prompt = api.call("prompts.create", {"title": "Greeting", "content": "Hello {{name}}!"})
    rendered = api.call("prompts.render", {"prompt": prompt["id"], "variables": {"name": "Ada"}})
    print("rendered", rendered["text"])

    # A request whose answer was lost is sent again with the same key, and done once.
    key = {"Idempotency-Key": str(uuid.uuid4())}
    once = [
        api.call("objects.create", {"type": "note", "title": "Once", "fields": {"content": "x"}}, key) for _ in range(2)
    ]
    print("once", once[0]["id"] == once[1]["id"], api.call("objects.count", {"type": "note"})["count"])

    # What may take long can be a run, which is asked about.
    run = api.call("objects.update", {"id": note["id"], "title": "Garden"}, {"Prefer": "respond-async"})
    ended = api.call("runs.get", {"id": run["id"], "wait": 10_000}) if "operation" in run else {"result": run}
    print("updated", ended["result"]["title"])

    for event in api.events("start"):
        if event.get("type") == "note":
            print("heard", event["kind"], event.get("title", "(removed since)"))

    try:
        api.call("objects.get", {"id": "no-such-note"})
    except Problem as problem:
        print("refused", problem.code)


if __name__ == "__main__":
    main()
