// Package migrate turns a change of the key tables into SQL for a database that has
// them already, and into a file of a folder of migrations.
//
// [Changes] compares the tables of two runs, [NextIn] finds the number of the file, and
// [Style.Files] lays out the file as a migration tool wants it. Nothing here reads or
// writes files.
package migrate
