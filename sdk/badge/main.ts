import type { BadgeChunk } from '../core/parts.ts'

export const mount: BadgeChunk['mount'] = () => {}
