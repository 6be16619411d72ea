/** Properties of an element that those within it do not take over. Those of lists and countdowns are for their parts. */
const OF_ONE_ELEMENT = 'a am c d dc dm fs fsm g j jm lh mh mhm mt mtm p p0 pl pm ta tam w wd wm'
  .split(' ')
  .map((name) => `--${name}:initial`)

/** Style sheet of every page. Values of attributes are custom properties of their element; `…m` is the value on narrow screens. */
export const BASE_CSS = `
*,*::before,*::after{box-sizing:border-box}
*{${OF_ONE_ELEMENT.join(';')}}
:root{--bg:#fff;--fg:#1f2937;--muted:#4b5563;--line:#8b95a3;--accent:#1d4ed8;--on-accent:#fff;--danger:#b91c1c;color-scheme:light;
--cfsdk-checkout-color-primary:var(--accent);--cfsdk-checkout-color-text:var(--fg);--cfsdk-checkout-color-danger:var(--danger);--cfsdk-checkout-border-radius:8px}
.style-dark{--bg:#111827;--fg:#f3f4f6;--muted:#d1d5db;--line:#9ca3af;--accent:#93c5fd;--on-accent:#111827;--danger:#fca5a5;color-scheme:dark}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--fg);font:18px/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
img,iframe,video{max-width:100%}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[hidden]{display:none!important}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.form{display:contents}
.section{padding:var(--p,80px 20px);background-size:cover;background-position:center}
.row{display:grid;grid-template-columns:repeat(var(--c,1),minmax(0,1fr));gap:32px;max-width:1120px;margin:0 auto;padding:var(--p,0)}
.row+.row{margin-top:32px}
.one{max-width:760px}
.column{min-width:0;margin-left:var(--mh,0);margin-right:var(--mh,0)}
.boxed{padding:24px}
.flex{display:flex;flex-flow:var(--d,row) var(--w,nowrap);justify-content:var(--j,flex-start);align-items:var(--a,stretch);gap:var(--g,16px);padding:var(--p,0)}
.text,.mt{margin:var(--mt,16px) 0 0}
.column>:first-child{margin-top:var(--mt,0)}
.text{font-size:var(--fs);text-align:var(--ta,inherit);line-height:var(--lh,1.25)}
p.body{line-height:var(--lh,1.6)}
.align{display:block;text-align:var(--ta,inherit)}
.align>img,.align>.placeholder{display:inline-block;vertical-align:top}
.button{display:inline-block;padding:14px 28px;border:0;border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-size:var(--fs,18px);font-weight:600;line-height:1.3;text-align:center;text-decoration:none;cursor:pointer}
.button.style2{background:transparent;color:var(--accent);border:2px solid currentColor}
.button.style3{background:var(--fg);color:var(--bg)}
.button:disabled{opacity:.6;cursor:default}
.field{display:block;margin:16px 0 0;text-align:left}
.field label,.legend{display:block;font-weight:600;font-size:16px;padding:0}
.field input,.checkout input[type=text],.checkout select,[class^=cf-sdk] input,[class^=cf-sdk] select{width:100%;padding:12px 14px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:var(--fg);font:inherit;font-size:16px}
.list{padding:0;list-style:none}
.list li{position:relative;padding:4px 0 4px 1.9em}
.list li::before{content:var(--i,"✓");position:absolute;left:0;color:var(--ic,var(--accent));font-weight:700}
.divider{border:0;border-top:1px solid var(--dc,var(--line));margin:var(--p,24px) auto;width:var(--wd,100%)}
.accordion details{border-bottom:1px solid var(--line);padding:12px 0}
.accordion summary{cursor:pointer;font-weight:600}
.accordion details>div{padding:8px 0 0}
.countdown{display:flex;flex-wrap:wrap;gap:16px;justify-content:center;padding:var(--p,16px) var(--pl,16px)}
.countdown span{text-align:center;min-width:64px}
.countdown b{display:block;font-size:var(--ns,36px);line-height:1.2;color:var(--nc,inherit);font-family:var(--nf,inherit);font-weight:var(--nw,700)}
.countdown i{font-style:normal;font-size:var(--ls,14px);color:var(--lc,inherit);font-family:var(--lf,inherit);font-weight:var(--lw,400)}
.countdown p{margin:0;width:100%;text-align:center}
.video,.poster{display:block;width:100%;aspect-ratio:16/9;border:0;border-radius:8px}
.poster{display:grid;place-items:center;background:#111827;color:#fff;text-decoration:none;padding:16px;text-align:center}
.placeholder{width:100%;min-height:160px;padding:24px;background:#e5e7eb;color:#374151;text-align:center}
.products{border:0;margin:0;padding:0;min-width:0}
.option{display:flex;gap:12px;align-items:flex-start;border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin-top:8px;cursor:pointer}
.option input{margin-top:6px}
.option span{flex:1}
.checkout form,.checkout fieldset,.summary{margin-top:24px}
.checkout fieldset{border:0;padding:0;min-width:0}
.checkout legend,.cf-sdk-address-label,.cf-sdk-card-field label{display:block;font-weight:600;font-size:16px;padding:0}
.cf-sdk-address-field,.cf-sdk-card-field{margin-top:14px}
.code{display:flex;gap:8px;align-items:flex-end;margin-top:16px}
.code .field{flex:1;margin:0}
.alert{color:var(--danger);font-weight:600;margin:12px 0 0}
.alert:empty,.checkout .cf-sdk-payment-errors{display:none}
.summary dl{display:grid;grid-template-columns:1fr auto;gap:4px 16px;margin:8px 0 0}
.summary dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
.summary .terms{grid-column:1/-1}
.summary .total{font-weight:700}
.carousel{display:flex;gap:16px;overflow-x:auto;scroll-snap-type:x mandatory}
.carousel img{scroll-snap-align:center;flex:0 0 auto;max-width:100%}
@media(max-width:700px){
.section{padding:var(--pm,var(--p0,56px 16px))}
.row{grid-template-columns:minmax(0,1fr);padding:var(--pm,var(--p,0))}
.column{margin-left:var(--mhm,var(--mh,0));margin-right:var(--mhm,var(--mh,0))}
.flex{flex-flow:var(--dm,var(--d,row)) var(--wm,var(--w,wrap));justify-content:var(--jm,var(--j,flex-start));align-items:var(--am,var(--a,stretch))}
.text,.mt{margin-top:var(--mtm,var(--mt,16px))}
.column>:first-child{margin-top:var(--mtm,var(--mt,0))}
.text{font-size:var(--fsm,var(--fs));text-align:var(--tam,var(--ta,inherit))}
.button{font-size:var(--fsm,var(--fs,18px))}
}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`
  .trim()
  .replaceAll('\n', '')
