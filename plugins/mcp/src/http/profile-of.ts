import type { Access } from '@minions/core/operations'
import type { Profile } from '../door/profile.js'

/** The profile that the address of a server names: `/mcp?tools=prompts.*,objects.find&access=write`. */
export function profileOfUrl(url: string): Profile {
  const { searchParams } = new URL(url)
  return {
    tools: listIn(searchParams, 'tools'),
    // Checked with the profile.
    access: listIn(searchParams, 'access') as Access[] | undefined,
  }
}

function listIn(parameters: URLSearchParams, name: string): string[] | undefined {
  const values = parameters.getAll(name).flatMap((value) => value.split(','))
  const names = values.map((value) => value.trim()).filter((value) => value !== '')
  return names.length === 0 ? undefined : names
}
