// Loads the packages of this folder for other files.
module.exports = { require, import: (name) => import(name) };
