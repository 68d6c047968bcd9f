package caja

// Vivos returns how many children there are.
func (c *Caja) Vivos() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.vivos)
}
