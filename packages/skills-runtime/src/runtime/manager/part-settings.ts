import { optionalInteger, strictObject } from '@minions/core/schema'
import { Type } from 'typebox'

export const MessagesSchema = strictObject({
  persistence: Type.Optional(
    Type.Boolean({ description: 'Whether messages are stored until they expire; false. It needs a store.' }),
  ),
  mailboxLimit: optionalInteger(1, 'Maximum number of messages in one mailbox; 1,000.'),
  overflow: Type.Optional(Type.Enum(['wait', 'reject'], { description: 'Policy for a full mailbox; wait.' })),
  deadLetterLimit: optionalInteger(0, 'Dead letters to keep; 1,000.'),
})

export const WorkersSchema = strictObject({
  threads: optionalInteger(1, 'Maximum number of threads; one a processor, at least 4.'),
  maxHeapMb: optionalInteger(8, 'Maximum heap of a thread in megabytes, without its buffers; 256.'),
  graceMs: optionalInteger(0, 'Milliseconds from the abort of a skill until its thread is killed; 100.'),
  idleMs: optionalInteger(0, 'Milliseconds until an idle thread ends; 30,000.'),
})
