// @ts-check

/** Layers of twenty, each task after one of the layer before. @param {number} size */
export function tasksOf(size) {
  return Array.from({ length: size }, (_, index) => ({
    task_id: `task_${index}`,
    role_type: /** @type {const} */ ('worker'),
    objective: 'Nothing.',
    depends_on: index < 20 ? [] : [`task_${index - 20}`],
    required_capabilities: [],
    allowed_tools: [],
    required_data_scopes: [],
    success_criteria: [],
  }))
}
