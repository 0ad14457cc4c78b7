/** The version of the product, as in every `package.json`. */
export const VERSION = '0.1.0';
