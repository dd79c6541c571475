"""The server: what the client asks, answered by tools, resources and the prompt."""

from __future__ import annotations

import gc
import sys
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from curator import __version__
from curator.errors import CuratorError
from curator.server import arguments, desk, guide, tools, wire
from curator.server.answers import Answer, clean
from curator.server.desk import Desk

if TYPE_CHECKING:
    from curator.server.entries import Listing, Row

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
REVIEW = "review"
_LOADS = "anthropic/alwaysLoad"
"""Claude Code shows an agent the names of tools alone, or all of them, unless a tool says for itself."""


def serve(at: Desk) -> None:
    """Answer until standard input ends."""
    gc.freeze()
    gc.enable()  # the command line goes without; a server lives for long
    anyio.run(_serve, at)


async def _serve(at: Desk) -> None:
    server = _Handlers(at).server()
    async with wire.streams() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


class _Handlers:
    """What is done for each kind of request. Calls take turns in a thread, so that a ping need not wait for one."""

    def __init__(self, at: Desk) -> None:
        self._desk = at
        self._turn = anyio.CapacityLimiter(1)
        self._listing: Listing | None = None

    def server(self) -> Server[Any]:
        return Server(
            guide.NAME,
            version=__version__,
            title=guide.TITLE,
            description=guide.DESCRIPTION,
            instructions=guide.INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    async def _in_turn(self, work: Callable[..., T], *values: Any) -> T:
        try:
            return await anyio.to_thread.run_sync(work, *values, limiter=self._turn)
        except CuratorError as error:
            raise MCPError(types.INVALID_PARAMS, clean(str(error))) from None

    async def _list_tools(self, _: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(name, one) for name, one in tools.TOOLS.items()])

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in tools.TOOLS:
            known = ", ".join(tools.TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"no tool {params.name[:80]!r}; there are: {known}")
        client = context.session.client_params
        who = desk.agent(client.client_info.name if client else "")
        answer = await self._in_turn(_answer, self._desk, params.name, params.arguments or {}, who)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=answer.text)],
            structured_content=answer.value,
            is_error=answer.fault,
        )

    async def _list_resources(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        from curator.server import entries

        self._listing = self._listing or entries.Listing()
        rows, more = await self._in_turn(self._listing.page, self._desk, (params.cursor if params else None) or "")
        return types.ListResourcesResult(resources=[_resource(row) for row in rows], next_cursor=more or None)

    async def _list_templates(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=guide.TEMPLATE,
            name="memory",
            title="One memory",
            description="A memory with its reason, sources, state and origin, by its id.",
            mime_type=guide.TYPE,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        from curator.server import entries

        uri = str(params.uri)
        text = await self._in_turn(entries.whole, self._desk, uri)
        content = types.TextResourceContents(uri=uri, mime_type=guide.TYPE, text=text)
        return types.ReadResourceResult(contents=[content])

    async def _list_prompts(self, _: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        description = "Show the user which memories wait for review, with an opinion on each."
        return types.ListPromptsResult(
            prompts=[types.Prompt(name=REVIEW, title="Review proposals", description=description)]
        )

    async def _get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != REVIEW:
            raise MCPError(types.INVALID_PARAMS, f"no prompt {params.name[:80]!r}; there is: {REVIEW}")
        from curator.server import reviewing

        text = await self._in_turn(reviewing.text, self._desk)
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(
            description="What waits for review", messages=[types.PromptMessage(role="user", content=content)]
        )


def _answer(at: Desk, name: str, given: dict[str, Any], who: str) -> Answer:
    try:
        return tools.call(at, name, given, who)
    except Exception as error:  # a fault of ours is told to the agent, and ends neither the session nor the server
        print(traceback.format_exc(), file=sys.stderr, flush=True)
        message = f"curator failed at {name}: {type(error).__name__}"
        return tools.refused(CuratorError(message, hint="go on without it, and tell the user"))


def _tool(name: str, one: tools.Tool) -> types.Tool:
    return types.Tool(
        name=name,
        title=one.title,
        description=one.description,
        input_schema=arguments.schema(one.fields),
        output_schema=one.output,
        annotations=types.ToolAnnotations(
            title=one.title,
            read_only_hint=one.reads,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
        _meta={_LOADS: one.loads},
    )


def _resource(row: Row) -> types.Resource:
    return types.Resource(
        uri=row.uri,
        name=row.name,
        title=row.title,
        mime_type=guide.TYPE,
        annotations=types.Annotations(priority=row.priority),
    )
