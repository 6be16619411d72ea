import { millrace } from '../millrace.ts'

/** All processes that share servers need the same secret. */
const SECRET = 'a secret that every process is given'

/** Settings of a process that uses servers. @param database name of the MongoDB database */
export const settingsOn = (eventStoreUrl: string, mongoUrl: string, database: string): Record<string, string> => ({
  EVENTSTOREDB_URL: eventStoreUrl,
  MONGODB_URL: `${mongoUrl.replace(/\/$/, '')}/${database}`,
  MILLRACE_SECRET: SECRET,
})

/** Creates a workspace by the command line, with further options. @returns it, and a key for it */
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
