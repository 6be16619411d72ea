/** Pages under a path. */
export interface PathRoute {
  readonly path: RegExp
}

/** Returns the first route with a path, and the groups of its pattern. */
export const routeFor = <R extends PathRoute>(
  routes: readonly R[],
  path: string,
): { readonly route: R; readonly groups: readonly string[] } | undefined => {
  for (const route of routes) {
    const match = route.path.exec(path)
    if (match) return { route, groups: match.slice(1) }
  }
  return undefined
}
