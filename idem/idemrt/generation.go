package idemrt

// GeneratedCodeV2 is what generated code refers to, so that a generated file and a
// runtime of different generations do not compile together. When the generation
// changes, the new number becomes the constant and this one a variable of type
// [GeneratedFileIsOlderThanRuntimeRunIdemgenGenerate].
const GeneratedCodeV2 = true

// GeneratedFileIsOlderThanRuntimeRunIdemgenGenerate is the type of the names that
// generated files of earlier generations refer to as constants. The compiler puts it
// into its message: the name is the remedy.
type GeneratedFileIsOlderThanRuntimeRunIdemgenGenerate struct{}
