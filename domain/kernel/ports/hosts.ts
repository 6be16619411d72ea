/** Names of hosts, as the world and the operator know them. */
export interface Hosts {
  /** Whether a name is one of the service's own hosts, or below one. */
  isOwn(name: string): boolean
  /** Returns the texts of the TXT records of a name; none if there is no answer. */
  texts(name: string): Promise<readonly string[]>
}
