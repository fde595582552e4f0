import type { SkillExecution } from '../executions/execution-schema.js'
import { LogBuffer } from '../executions/log-buffer.js'
import type { ExecutionLog } from '../executions/log-schema.js'
import type { AgentChange } from '../state/runtime-state.js'

export interface ChangeWithLogs {
  readonly change: AgentChange | undefined
  stored(): void
}

/** The logs of the executions of one session. What is new in them is stored with the next change of the subagent. */
export class SessionLogs {
  readonly #buffers = new Map<string, LogBuffer>()
  readonly #changed = new Set<LogBuffer>()

  has(executionId: string): boolean {
    return this.#buffers.has(executionId)
  }

  get isStored(): boolean {
    return this.#changed.size === 0
  }

  edit(execution: Pick<SkillExecution, 'execution_id' | 'agent_id'>): LogBuffer {
    const buffer = this.#buffers.get(execution.execution_id) ?? new LogBuffer(execution)
    this.#buffers.set(execution.execution_id, buffer)
    this.#changed.add(buffer)
    return buffer
  }

  /** Continues a log that an earlier process stored. */
  restore(stored: ExecutionLog): void {
    if (!this.has(stored.execution_id)) this.#buffers.set(stored.execution_id, new LogBuffer(stored, stored))
  }

  /** Adds to a change what was logged since the last one that was stored. */
  addTo(change: AgentChange | undefined): ChangeWithLogs {
    const changed = [...this.#changed].map((buffer) => ({ buffer, version: buffer.version }))
    const ended = (change?.executions ?? []).filter(({ status }) => status !== 'pending')
    const logs = changed.map(({ buffer }) => buffer.record)
    return {
      change: logs.length === 0 ? change : { ...change, logs },
      stored: () => {
        for (const { buffer, version } of changed) if (buffer.version === version) this.#changed.delete(buffer)
        for (const { execution_id } of ended) this.#buffers.delete(execution_id)
      },
    }
  }
}
