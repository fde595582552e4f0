/** The example records of the specification. */
export const navigate = {
  name: 'navigate',
  version: '1.0.0',
  description: 'Navigate robot to specified location',
  parameters_schema: {
    type: 'object',
    properties: { location: { type: 'string' }, speed: { type: 'number', default: 1.0 } },
    required: ['location'],
  },
  returns_schema: {
    type: 'object',
    properties: { status: { type: 'string' }, final_position: { type: 'object' } },
  },
  timeout: 60,
  max_retries: 2,
  dependencies: [],
  tags: ['navigation', 'motion'],
  created_at: '2025-12-19T10:00:00Z',
  updated_at: '2025-12-19T10:00:00Z',
}

export const subagent = {
  agent_id: 'a7f3c2e1-8d4b-4a9c-9e2f-1b3c4d5e6f7a',
  name: 'Navigator-1',
  state: 'running',
  assigned_skill: 'navigate',
  skill_params: { location: 'kitchen', speed: 1.5 },
  results: { previous_skill: { status: 'success', data: '...' } },
  error: null,
  created_at: '2025-12-19T10:05:00Z',
  started_at: '2025-12-19T10:05:10Z',
  completed_at: null,
  metadata: { priority: 'high', user_id: 'user123' },
}

export const eventMessage = {
  message_id: 'm1a2b3c4-d5e6-f7a8-b9c0-d1e2f3a4b5c6',
  topic: 'navigation.complete',
  sender_id: 'a7f3c2e1-8d4b-4a9c-9e2f-1b3c4d5e6f7a',
  recipient_id: null,
  message_type: 'event',
  payload: { location: 'kitchen', final_position: { x: 10.5, y: 3.2 } },
  timestamp: '2025-12-19T10:10:00Z',
  ttl: 60,
  priority: 5,
  correlation_id: null,
}

export const requestMessage = {
  message_id: 'req-123',
  topic: null,
  sender_id: 'agent-A',
  recipient_id: 'agent-B',
  message_type: 'request',
  payload: { skill: 'detect', params: { area: 'kitchen' } },
  timestamp: '2025-12-19T10:11:00Z',
  correlation_id: 'corr-456',
}

export const responseMessage = {
  message_id: 'res-789',
  topic: null,
  sender_id: 'agent-B',
  recipient_id: 'agent-A',
  message_type: 'response',
  payload: { status: 'success', objects: ['cup', 'plate'] },
  timestamp: '2025-12-19T10:11:02Z',
  correlation_id: 'corr-456',
}

export const execution = {
  execution_id: 'exec-a1b2c3d4',
  agent_id: 'a7f3c2e1-8d4b-4a9c-9e2f-1b3c4d5e6f7a',
  skill_name: 'navigate',
  skill_version: '1.0.0',
  parameters: { location: 'kitchen', speed: 1.5 },
  result: { status: 'success', final_position: { x: 10.5, y: 3.2 } },
  error: null,
  status: 'success',
  started_at: '2025-12-19T10:05:10Z',
  completed_at: '2025-12-19T10:06:20Z',
  duration_ms: 70000,
  retry_count: 0,
}
