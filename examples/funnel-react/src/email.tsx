/** Input for the e-mail address. It is React's; the SDK fills in what was typed on the page before, as a visitor would. */
export const Email = ({ value, onType }: { value: string; onType: (email: string) => void }) => (
  <label>
    E-mail
    <input
      data-cf-element="email"
      type="email"
      autoComplete="email"
      required
      value={value}
      onChange={({ target }) => onType(target.value)}
    />
  </label>
)
