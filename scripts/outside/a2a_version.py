"""A plugin of pytest: names the version of the protocol in the requests of the kit, which names none."""

import httpx
import requests

VERSION = {"A2A-Version": "1.0"}


def named(send):
    def wrapped(self, request, *arguments, **options):
        for name, value in VERSION.items():
            request.headers.setdefault(name, value)
        return send(self, request, *arguments, **options)

    return wrapped


requests.Session.send = named(requests.Session.send)
httpx.Client.send = named(httpx.Client.send)
httpx.AsyncClient.send = named(httpx.AsyncClient.send)
