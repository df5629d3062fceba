// Stryker loads the environment itself, without jest's transformation.
require('tsx/cjs');
const { default: EngineEnvironment } = require('../jest/engineEnvironment.ts');

module.exports = EngineEnvironment;
