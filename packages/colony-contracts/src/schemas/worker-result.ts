import { type Static, Type } from 'typebox'
import { Confidence, Id, Name, Names, OpenObject, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

const CitationSchema = Type.Object({ kind: Name, ref: Name })

export const WorkerResultSchema = Type.Object(
  {
    ...rootMetadata('worker_result'),
    task_id: Id,
    result_id: Id,
    output_text: Text,
    structured_output: Type.Optional(OpenObject),
    citations: Type.Optional(Type.Array(CitationSchema)),
    confidence: Confidence,
    tool_trace_refs: Type.Optional(Names),
  },
  { title: 'Worker result', description: 'What one worker found, with its sources and how sure it is.' },
)

/** What one worker found, with its sources and how sure it is. */
export type WorkerResult = Static<typeof WorkerResultSchema>
