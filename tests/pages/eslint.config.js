// What eslint finds beyond the types.

const rules = {
  'array-callback-return': 'error',
  'consistent-return': 'error',
  'eqeqeq': 'error',
  'no-constant-binary-expression': 'error',
  'no-console': 'error',
  'no-else-return': 'error',
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-restricted-properties': ['error', { property: 'innerHTML' }, { property: 'outerHTML' }, { property: 'insertAdjacentHTML' }],
  'no-self-compare': 'error',
  'no-shadow': 'error',
  'no-unreachable': 'error',
  'no-useless-assignment': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  'prefer-template': 'error',
};

export default [
  { files: ['**/*.js'], rules, languageOptions: { ecmaVersion: 2024, sourceType: 'module' } },
  { ignores: ['**/node_modules/**'] },
];
