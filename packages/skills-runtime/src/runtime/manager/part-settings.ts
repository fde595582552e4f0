import { Type } from 'typebox'

/** Configurable settings of the message bus. */
export const MessagesSchema = Type.Object(
  {
    persistence: Type.Optional(
      Type.Boolean({ description: 'Whether messages are stored until they expire; false. It needs a store.' }),
    ),
    mailboxLimit: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Maximum number of messages in one mailbox; 1,000.' }),
    ),
    overflow: Type.Optional(Type.Enum(['wait', 'reject'], { description: 'Policy for a full mailbox; wait.' })),
    deadLetterLimit: Type.Optional(Type.Integer({ minimum: 0, description: 'Dead letters to keep; 1,000.' })),
  },
  { additionalProperties: false },
)

/** Configurable settings of worker threads. */
export const WorkersSchema = Type.Object(
  {
    threads: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Maximum number of threads; one a processor, at least 4.' }),
    ),
    maxHeapMb: Type.Optional(Type.Integer({ minimum: 8, description: 'Maximum heap of a thread in megabytes; 256.' })),
    graceMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Milliseconds from the abort of a skill until its thread is killed; 100.',
      }),
    ),
    idleMs: Type.Optional(Type.Integer({ minimum: 0, description: 'Milliseconds until an idle thread ends; 30,000.' })),
  },
  { additionalProperties: false },
)
