const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '))

export const SVG = 'http://www.w3.org/2000/svg'
export const XLINK = 'http://www.w3.org/1999/xlink'
export const XML = 'http://www.w3.org/XML/1998/namespace'

/** Elements of a drawing. All others are left out with what they contain: metadata, editors' own data, foreign content, scripts. */
export const ELEMENTS = words(
  'svg g defs symbol use switch view a title desc style image',
  'path rect circle ellipse line polyline polygon text tspan textPath',
  'marker mask clipPath pattern linearGradient radialGradient stop',
  'animate animateMotion animateTransform mpath set filter',
  'feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight',
  'feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset',
  'fePointLight feSpecularLighting feSpotLight feTile feTurbulence',
)

/** Elements whose text is shown or read. Text elsewhere is left out. */
export const TEXTS = words('text tspan textPath title desc style a')

/** Elements that change an attribute over time. */
export const ANIMATIONS = words('animate animateMotion animateTransform set')

/** Elements that run something, whatever their namespace. */
export const SCRIPTS = words('script handler listener')

/** Attributes of a drawing, none of which runs anything. Addresses are in `href` alone, and in `url()` of those that hold a style. */
export const ATTRIBUTES = words(
  'id class style lang type media role version viewBox preserveAspectRatio zoomAndPan overflow clip cursor display visibility',
  'x y x1 x2 y1 y2 cx cy r rx ry fx fy fr dx dy d points width height transform transform-origin path pathLength',
  'fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit',
  'stroke-opacity stroke-width opacity color color-interpolation color-interpolation-filters color-profile color-rendering',
  'paint-order vector-effect shape-rendering text-rendering image-rendering pointer-events enable-background isolation',
  'mix-blend-mode solid-color solid-opacity requiredFeatures requiredExtensions systemLanguage',
  'clip-path clip-rule clipPathUnits mask mask-type maskUnits maskContentUnits filter filterUnits primitiveUnits filterRes',
  'gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity',
  'patternUnits patternContentUnits patternTransform',
  'marker marker-start marker-mid marker-end markerUnits markerWidth markerHeight refX refY orient',
  'font font-family font-size font-size-adjust font-stretch font-style font-variant font-weight letter-spacing word-spacing',
  'kerning text-anchor text-decoration text-overflow textLength lengthAdjust startOffset method spacing side white-space',
  'dominant-baseline alignment-baseline baseline-shift writing-mode direction unicode-bidi rotate glyph-orientation-vertical',
  'glyph-orientation-horizontal line-height inline-size shape-inside',
  'attributeName attributeType begin dur end min max restart repeatCount repeatDur calcMode values keyTimes keySplines keyPoints',
  'from to by additive accumulate origin',
  'in in2 result mode operator k1 k2 k3 k4 tableValues slope intercept amplitude exponent order kernelMatrix divisor bias',
  'targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent',
  'limitingConeAngle scale xChannelSelector yChannelSelector azimuth elevation pointsAtX pointsAtY pointsAtZ z stdDeviation',
  'radius flood-color flood-opacity lighting-color baseFrequency numOctaves seed stitchTiles',
)

/** Attributes that hold no style: names, and lists of numbers, the longest of which would be read in vain. */
export const PLAIN = words(
  'id class lang type media role result in in2 attributeName begin end requiredFeatures requiredExtensions systemLanguage',
  'd points viewBox transform gradientTransform patternTransform path keySplines tableValues',
)

/** Attributes that no animation may change. */
export const FIXED = words('href style id class type attributeName')

/** Functions of styles. None of them loads anything but `url`, whose address is checked. */
export const FUNCTIONS = words(
  'url format local tech rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark device-cmyk icc-color',
  'calc min max clamp round mod rem abs sign sqrt pow hypot exp log sin cos tan asin acos atan atan2 var env attr counter',
  'translate translatex translatey translatez translate3d rotate rotatex rotatey rotatez rotate3d scale scalex scaley scalez',
  'scale3d skew skewx skewy matrix matrix3d perspective cubic-bezier steps linear',
  'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia',
  'circle ellipse inset polygon path rect xywh ray linear-gradient radial-gradient conic-gradient repeating-linear-gradient',
  'repeating-radial-gradient minmax repeat fit-content not is where has lang dir selector layer',
  'nth-child nth-last-child nth-of-type nth-last-of-type',
)
