// curator's plugin for OpenCode, as `curator init --opencode` writes it: what is changed here is lost with the next.
//
// It starts curator-hook for what happens in a session, and puts what that answers before the model. Where there is
// no curator-hook, where it fails or takes too long, the session goes on as if there were no plugin.

import { spawn } from "node:child_process"

const PROGRAM = "curator-hook"
const MILLISECONDS = 3000 // curator-hook ends by itself within one second
const MOST = 40000 // characters that one session is told in all; the oldest go first
const TITLING = "You are a title generator" // how the request for a session's title begins
const EDITING = new Set(["edit", "write", "multiedit", "patch", "apply_patch"])

// One event to curator-hook; what it answers, {} for nothing.
function ask(event) {
  return new Promise((resolve) => {
    let out = ""
    let timer
    const end = (answer) => {
      clearTimeout(timer)
      resolve(answer && typeof answer === "object" ? answer : {})
    }
    try {
      const child = spawn(PROGRAM, [], { cwd: event.cwd, stdio: ["pipe", "pipe", "ignore"], detached: true })
      timer = setTimeout(() => {
        child.kill("SIGKILL")
        end()
      }, MILLISECONDS)
      child.on("error", () => end())
      child.stdin.on("error", () => {})
      child.stdout.on("data", (data) => (out += data))
      child.on("close", () => {
        try {
          end(JSON.parse(out))
        } catch {
          end()
        }
      })
      child.stdin.end(JSON.stringify(event))
    } catch {
      end()
    }
  })
}

export const Curator = async ({ client, directory }) => {
  const told = new Map() // session -> the texts that it was given
  const begun = new Set()
  const parents = new Map() // session of a subagent -> that which started it
  const open = new Set() // events that curator-hook is still at

  const tell = (name, session, more = {}, reader = session) => {
    const event = { hook_event_name: name, client_type: "opencode", session_id: session, cwd: directory, ...more }
    const asked = ask(event).then((answer) => {
      open.delete(asked)
      const text = answer.hookSpecificOutput?.additionalContext
      if (typeof text === "string" && text) {
        const texts = [...(told.get(reader) ?? []), text]
        while (texts.length > 1 && texts.join("").length > MOST) texts.shift()
        told.set(reader, texts)
      }
      if (typeof answer.systemMessage === "string") show(answer.systemMessage)
    })
    open.add(asked)
    return asked
  }

  const show = (message) => {
    try {
      Promise.resolve(client.tui.showToast({ body: { message, variant: "info" } })).catch(() => {})
    } catch {
      // no screen, no word
    }
  }

  return {
    event: async ({ event }) => {
      const { sessionID, info } = event.properties ?? {}
      if (event.type === "session.created" && info?.parentID) parents.set(info.id, info.parentID)
      if (event.type === "session.idle" && begun.has(sessionID)) tell("Stop", sessionID)
      if (event.type === "session.deleted" && info) {
        told.delete(info.id)
        begun.delete(info.id)
        parents.delete(info.id)
      }
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      if (!sessionID) return
      const parent = parents.get(sessionID)
      if (parent) {
        if (!told.has(sessionID)) await tell("SubagentStart", parent, {}, sessionID)
        return
      }
      if (!begun.has(sessionID)) {
        begun.add(sessionID)
        await tell("SessionStart", sessionID, { source: "startup" })
      }
      const texts = (parts ?? []).filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      await tell("UserPromptSubmit", sessionID, { prompt: texts.join("\n") })
    },
    // A command's template passes for typed in the client's database; the mark tells curator that nobody typed it.
    "command.execute.before": async ({ command }, { parts }) => {
      for (const part of parts ?? []) {
        if (part.type === "text") part.metadata = { ...part.metadata, curator: `command ${command}` }
      }
    },
    "tool.execute.after": async ({ tool, sessionID, args }) => {
      if (!begun.has(sessionID) || !EDITING.has(tool)) return
      await tell("PostToolUse", sessionID, { tool_name: tool, tool_input: args })
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      if (begun.has(sessionID)) await tell("PreCompact", sessionID)
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const texts = sessionID ? told.get(sessionID) : undefined
      if (texts && !system.some((text) => text.startsWith(TITLING))) system.push(texts.join("\n\n"))
    },
    dispose: async () => {
      await Promise.allSettled([...open])
    },
  }
}
