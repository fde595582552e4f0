import { Type } from 'typebox'

/** What can be written down about the message bus. */
export const MessagesSchema = Type.Object(
  {
    persistence: Type.Optional(
      Type.Boolean({ description: 'Whether messages are stored until their life ends; false. It needs a store.' }),
    ),
    mailboxLimit: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of messages in one mailbox; 1,000.' })),
    overflow: Type.Optional(
      Type.Enum(['wait', 'reject'], { description: 'What the sender to a full mailbox meets; wait.' }),
    ),
    deadLetterLimit: Type.Optional(Type.Integer({ minimum: 0, description: 'Dead letters to keep; 1,000.' })),
  },
  { additionalProperties: false },
)

/** What can be written down about worker threads. */
export const WorkersSchema = Type.Object(
  {
    threads: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum number of threads; one a processor, at least 4.' })),
    maxHeapMb: Type.Optional(Type.Integer({ minimum: 8, description: 'Maximum number of megabytes of heap in a thread; 256.' })),
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
