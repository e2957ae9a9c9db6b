"""A database that speaks Bolt behind a few lines of Neo4j's Query API, for tests: neo4j_query_api_server.py PORT BOLT_PORT.

Statements, parameters, results and transactions go through Neo4j's own driver for Python. The paths, statuses, headers and
bodies are written after the documentation of the Query API; only what the client uses is here.
"""

import base64
import itertools
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import unquote

from neo4j import READ_ACCESS, WRITE_ACCESS, Bookmarks, GraphDatabase
from neo4j.exceptions import AuthError, Neo4jError

PORT, BOLT = int(sys.argv[1]), sys.argv[2]
LOCK = Lock()
DRIVERS = {}
TRANSACTIONS = {}
NUMBERS = itertools.count()
AFFINITY = "bWVtYmVyLTE="


class Failure(Exception):
    def __init__(self, status, code, message):
        self.status, self.body = status, {"errors": [{"code": code, "message": message}]}


def driver(header):
    scheme, _, credentials = (header or "").partition(" ")
    if scheme != "Basic":
        raise Failure(401, "Neo.ClientError.Security.Unauthorized", "No authentication header supplied.")
    if credentials not in DRIVERS:
        user, _, password = base64.b64decode(credentials).decode().partition(":")
        made = GraphDatabase.driver(f"bolt://127.0.0.1:{BOLT}", auth=(user, password))
        made.verify_connectivity()
        DRIVERS[credentials] = made
    return DRIVERS[credentials]


def session(made, database, body):
    access = READ_ACCESS if body.get("accessMode") == "Read" else WRITE_ACCESS
    bookmarks = Bookmarks.from_raw_values(body.get("bookmarks") or [])
    return made.session(database=database, default_access_mode=access, bookmarks=bookmarks)


def run(where, body):
    result = where.run(body["statement"], body.get("parameters") or {})
    fields = list(result.keys())
    return {"data": {"fields": fields, "values": [list(record.values()) for record in result]}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def work(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or "null") or {}
        parts = [unquote(part) for part in self.path.strip("/").split("/")]
        try:
            with LOCK:
                status, answer = 202, self.route(parts, body)
        except Failure as failure:
            status, answer = failure.status, failure.body
        except AuthError as error:
            status, answer = 401, {"errors": [{"code": "Neo.ClientError.Security.Unauthorized", "message": str(error)}]}
        except Neo4jError as error:
            status, answer = 202, {"errors": [{"code": error.code, "message": error.message}]}
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            status, answer = 202, {"errors": [{"code": "Neo.DatabaseError.General.UnknownError", "message": message}]}
        text = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        if "tx" in parts:
            self.send_header("neo4j-cluster-affinity", AFFINITY)
        self.end_headers()
        self.wfile.write(text)

    do_POST = do_DELETE = work

    def route(self, parts, body):
        if parts[0] != "db" or parts[2:4] != ["query", "v2"]:
            raise Failure(404, "Neo.ClientError.Request.Invalid", f"no such path: {self.path}")
        made, database, rest = driver(self.headers.get("authorization")), parts[1], parts[4:]
        if not rest:
            with session(made, database, body) as opened:
                return {**run(opened, body), "bookmarks": list(opened.last_bookmarks().raw_values)}
        if len(rest) == 1:
            opened = session(made, database, body)
            transaction = opened.begin_transaction()
            number = f"t{next(NUMBERS)}"
            answer = run(transaction, body)
            TRANSACTIONS[number] = (opened, transaction)
            return {**answer, "transaction": {"id": number, "expires": "2100-01-01T00:00:00Z"}}
        number = rest[1]
        if number not in TRANSACTIONS or self.headers.get("neo4j-cluster-affinity") != AFFINITY:
            raise Failure(404, "Neo.ClientError.Request.Invalid", f'Transaction with Id: "{number}" was not found.')
        opened, transaction = TRANSACTIONS[number]
        if self.command == "POST" and len(rest) == 2:
            try:
                return {**run(transaction, body), "transaction": {"id": number, "expires": "2100-01-01T00:00:00Z"}}
            except Exception:
                TRANSACTIONS.pop(number)[0].close()
                raise
        del TRANSACTIONS[number]
        try:
            transaction.commit() if self.command == "POST" else transaction.rollback()
            return {"bookmarks": list(opened.last_bookmarks().raw_values)} if self.command == "POST" else None
        finally:
            opened.close()


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
