"""A server over streamable HTTP with one tool, on a free port, whose address it prints first."""

import socket

import uvicorn
from mcp.server import MCPServer

server = MCPServer("weather")


@server.tool()
def forecast(place: str) -> str:
    """Tells tomorrow's weather."""
    return f"rain in {place}"


listener = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="warning")).run(sockets=[listener])
