package orders

import (
	"fmt"
	"net/http"

	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/problem"
)

func notFound() orderapi.NotFoundApplicationProblemPlusJSONResponse {
	return orderapi.NotFoundApplicationProblemPlusJSONResponse(problem.New(http.StatusNotFound, "order_not_found", "There is no such order."))
}

func outOfStock(sku, currency string) orderapi.CreateOrder409ApplicationProblemPlusJSONResponse {
	detail := fmt.Sprintf("There is not enough of %q to sell in %s.", sku, currency)
	return orderapi.CreateOrder409ApplicationProblemPlusJSONResponse(problem.New(http.StatusConflict, "out_of_stock", detail))
}

func declined(left int64) orderapi.RefundOrder402ApplicationProblemPlusJSONResponse {
	detail := fmt.Sprintf("At most %d can be refunded.", left)
	return orderapi.RefundOrder402ApplicationProblemPlusJSONResponse(problem.New(http.StatusPaymentRequired, "refund_declined", detail))
}
