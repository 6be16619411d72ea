import { millrace } from '../millrace.ts'

/** Given to every process of a test that shares servers with others. */
const SECRET = 'a secret that every process is given'

/** Settings of a process on servers. @param database of MongoDB */
export const settingsOn = (eventStoreUrl: string, mongoUrl: string, database: string): Record<string, string> => ({
  EVENTSTOREDB_URL: eventStoreUrl,
  MONGODB_URL: `${mongoUrl.replace(/\/$/, '')}/${database}`,
  MILLRACE_SECRET: SECRET,
})

/** Opens a workspace by the command line, with what else is said of it. @returns it, and a key of it */
export const openWorkspace = async (
  name: string,
  settings: Readonly<Record<string, string>>,
  ...more: readonly string[]
): Promise<{ readonly workspaceId: number; readonly token: string }> => {
  const run = async (args: readonly string[]) => {
    const { code, out, err } = await millrace(args, settings)
    if (code !== 0) throw new Error(err)
    return JSON.parse(out) as { readonly workspace_id: number; readonly token: string }
  }
  const { workspace_id } = await run(['workspace', 'create', '--name', name, ...more])
  const { token } = await run(['keys', 'create', '--workspace', String(workspace_id), '--json'])
  return { workspaceId: workspace_id, token }
}
