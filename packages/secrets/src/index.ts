export { hashPassword, isPassword } from './password.ts';
export { SecretError, type SecretCode } from './errors.ts';
export { openSecretBox, type SecretBox } from './secret-box.ts';
