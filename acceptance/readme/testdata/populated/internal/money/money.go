// Package money adds up amounts.
package money

// Cents is an amount.
type Cents int64

// Sum adds amounts up.
func Sum(amounts ...Cents) (sum Cents) {
	for _, amount := range amounts {
		sum += amount
	}
	return sum
}
