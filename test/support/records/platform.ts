import { applicationFields, connect, makeApplication } from '../platform.ts'
import type { RecordMaker } from './making.ts'

/** Makers of what people connect their workspaces with. */
export const platformMakers: Readonly<Record<string, RecordMaker>> = {
  platform_application: {
    fields: async () => applicationFields(),
    make: async (tenant) => Number((await makeApplication(tenant)).id),
  },
  'platform_application/connection': { make: connect },
}
