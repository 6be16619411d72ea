/** Returns a path without slashes at its end. A pattern would begin anew at each slash of a long path. */
export const withoutEnd = (path: string): string => {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}
