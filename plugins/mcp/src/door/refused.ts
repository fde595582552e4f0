import { isMinionsError } from '@minions/core'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** A refusal of an operation becomes a protocol error, with the code in its data. */
export async function refused<T>(work: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isMinionsError(error)) throw error
    if (uri !== undefined && error.code === 'NOT_FOUND') throw resourceNotFound(uri, error.message)
    const { code, message, details } = error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${message}`, { code, details })
  }
}

/** The error for a resource that does not exist. The newer revision has no code for it, and gets the one for bad input. */
export function resourceNotFound(uri: string, message = `There is no resource at ${uri.slice(0, 200)}`): Error {
  return new ProtocolError(-32002, message, { uri })
}
