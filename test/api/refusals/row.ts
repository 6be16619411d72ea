import type { Scene } from './scene.ts'

/** A request and its refusal. The beginning of the text is enough. */
export interface Row {
  readonly says: string
  readonly status: 400 | 404 | 422
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path(scene: Scene): string
  body?(scene: Scene): unknown
}

const BAD = 'Bad request: '
const UNABLE = 'Request unprocessable: '

export const row = (
  status: Row['status'],
  says: string,
  method: Row['method'],
  path: Row['path'],
  body?: Row['body'],
): Row => ({
  status,
  says: (status === 400 ? BAD : status === 422 ? UNABLE : '') + says,
  method,
  path,
  ...(body && { body }),
})
