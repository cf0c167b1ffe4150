// Command report prints what was taken.
package main

import (
	"fmt"

	"example.com/shop/internal/money"
)

func main() { fmt.Println(money.Sum(100, 200)) }
