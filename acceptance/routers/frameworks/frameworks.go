// Package frameworks pins what the generated services are built with: the service's
// go.mod is this module's.
package frameworks

import (
	// Nothing here is called: an import keeps its requirement in go.mod.
	_ "github.com/gin-gonic/gin"
	_ "github.com/gin-gonic/gin/binding"
	_ "github.com/go-chi/chi/v5"
	_ "github.com/gofiber/fiber/v2"
	_ "github.com/gofiber/fiber/v2/middleware/recover"
	_ "github.com/gofiber/fiber/v3"
	_ "github.com/gofiber/fiber/v3/middleware/recover"
	_ "github.com/gofiber/utils/v2"
	_ "github.com/gorilla/mux"
	_ "github.com/kataras/iris/v12"
	_ "github.com/labstack/echo/v4"
	_ "github.com/labstack/echo/v5"
	_ "github.com/oapi-codegen/runtime"

	// Likewise.
	_ "github.com/idemgen/idemgen/adapters/idemfiber"
	_ "github.com/idemgen/idemgen/adapters/idemfiber3"
	_ "github.com/idemgen/idemgen/adapters/idemiris"
	_ "github.com/idemgen/idemgen/idem"
)
